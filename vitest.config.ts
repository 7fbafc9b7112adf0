import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import tsconfig from "./tsconfig.json" with { type: "json" };

// The subpaths resolve to the sources by the one list in tsconfig.json.
const alias = Object.entries(tsconfig.compilerOptions.paths).map(([name, [file]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(file as string, import.meta.url)),
}));

export default defineConfig({
  resolve: { alias },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/{browser,proxy,pgbouncer}/**"],
    globalSetup: ["test/support/postgres-server.ts"],
    setupFiles: ["test/support/each-test.ts"],
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    pool: "forks",
    // Files share a process, as requests do: half of the time went into loading the same modules again.
    isolate: false,
    // Some files wait for most of their time (a lease, a deadline): three keep two cores at work.
    maxWorkers: 3,
  },
});
