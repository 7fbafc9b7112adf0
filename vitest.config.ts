import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { subpaths } from "./test/package/subpaths.mjs";

const alias = subpaths.map(({ name, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(import.meta.dirname, source),
}));

const postgres = ["test/support/postgres-launcher.ts"];

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: ["test/support/each-test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    // Test files share a process: loading the same modules for each took half of the time.
    isolate: false,
    // Some files mostly wait for a lease or a deadline, so three workers keep two cores busy.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{browser,proxy,pgbouncer,broker}/**", "**/node_modules/**"],
          globalSetup: postgres,
        },
      },
      {
        // These tests need Chromium or nginx, which CI installs.
        extends: true,
        test: { name: "browser", include: ["test/{browser,proxy}/**/*.test.ts"] },
      },
      {
        // These tests need PgBouncer, which CI installs.
        extends: true,
        test: {
          name: "pgbouncer",
          include: ["test/pgbouncer/**/*.test.ts"],
          globalSetup: postgres,
        },
      },
      {
        // These tests need nats-server, which CI installs.
        extends: true,
        test: {
          name: "broker",
          include: ["test/broker/**/*.test.ts"],
          globalSetup: postgres,
        },
      },
    ],
  },
});
