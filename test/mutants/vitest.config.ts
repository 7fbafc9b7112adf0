import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { subpaths } from "../repository/subpaths.mjs";
import parts from "./parts.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");

const alias = subpaths.map(({ name, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(root, source),
}));

const { tests } = parts[process.env["STRYKER_PART"] as keyof typeof parts] ?? parts.domain;

/**
 * Tests of functions alone come first: a mutant that one of them catches needs no storefront, which
 * takes longest to load.
 */
class RulesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      /\/test\/(domain|rules)\//.test(moduleId) ? 0 : 1;
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

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
    // Test files share their modules: to load them for each file took half of the time.
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    sequence: { sequencer: RulesFirst },
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
