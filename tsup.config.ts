import { defineConfig, type Options } from "tsup";

const shared: Options = {
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  external: [/^node:/, "better-sqlite3", "pg", "kysely", "zod", "jose", "p-retry", "@opentelemetry/api"],
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
      sqlite: "adapters/storage/sqlite.ts",
      postgres: "adapters/storage/postgres.ts",
      otel: "adapters/otel.ts",
      transport: "adapters/transport/node.ts",
    },
    splitting: true,
  },
  // Alone, so that it is one file that imports nothing.
  { ...shared, entry: { webhooks: "src/webhooks/verify.ts" }, splitting: false },
]);
