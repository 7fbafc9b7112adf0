import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { subpaths } from "../package/subpaths.mjs";
import parts from "./parts.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");

const alias = subpaths.map(({ name, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(root, source),
}));

const { tests } = parts[process.env["STRYKER_PART"] as keyof typeof parts] ?? parts.domain;

/** The tests that Stryker runs. They run on memory alone, so that each takes milliseconds. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      ...alias,
      {
        find: /^.*\/support\/storages\.ts$/,
        replacement: resolve(import.meta.dirname, "storages.memory.ts"),
      },
    ],
  },
  test: {
    setupFiles: ["test/support/each-test.ts"],
    include: [...tests],
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
