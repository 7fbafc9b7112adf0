import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allEdits } from "../mutants/all-edits.ts";
import { readText, root } from "../support/markdown.ts";

// Whoever changes a line that a planted mistake stands in plants it anew in the same change.
test("every mistake of test/mutants stands in the code once, and names tests that exist", () => {
  const lost = allEdits.filter(({ file, from }) => readText(file).split(from).length !== 2);
  expect(lost.map(({ name }) => name)).toEqual([]);

  const tests = allEdits.flatMap((edit) => edit.tests.map((path) => join("test", path)));
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
