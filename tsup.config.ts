import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    webhooks: "src/webhooks/verify.ts",
    testing: "src/testing/testing.ts",
    node: "adapters/http/node.ts",
    express: "adapters/http/express.ts",
    sqlite: "adapters/storage/sqlite.ts",
    transport: "adapters/transport/node.ts",
  },
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  external: [/^node:/, "better-sqlite3", "pg", "kysely", "zod", "jose", "p-retry"],
  dts: true,
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
});
