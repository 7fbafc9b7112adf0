import { defineConfig, type Options } from "tsup";

const shared: Options = {
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  external: [
    /^node:/,
    "better-sqlite3",
    "pg",
    "kysely",
    "zod",
    "jose",
    "p-retry",
    "@opentelemetry/api",
  ],
  dts: true,
  sourcemap: true,
  treeshake: true,
};

export default defineConfig([
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      openapi: "src/contract/openapi.ts",
      testing: "src/testing/testing.ts",
      node: "adapters/http/node.ts",
      express: "adapters/http/express.ts",
      fastify: "adapters/http/fastify.ts",
      next: "adapters/http/next.ts",
      sqlite: "adapters/storage/sqlite.ts",
      postgres: "adapters/storage/postgres.ts",
      otel: "adapters/otel.ts",
      transport: "adapters/transport/node.ts",
      "transport-fetch": "src/webhooks/fetch-transport.ts",
      "webhooks-express": "adapters/webhooks/express.ts",
      "webhooks-fastify": "adapters/webhooks/fastify.ts",
      "webhooks-next": "adapters/webhooks/next.ts",
    },
    splitting: true,
  },
  // Alone, so that each is one file that imports nothing.
  { ...shared, entry: { webhooks: "src/webhooks/verify.ts" }, splitting: false },
  { ...shared, entry: { client: "src/client/client.ts" }, splitting: false },
]);
