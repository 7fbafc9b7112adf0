import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportEdits } from "../mutants/edits/exports.ts";
import { httpEdits } from "../mutants/edits/http.ts";
import { paymentEdits } from "../mutants/edits/payments.ts";
import { ruleEdits } from "../mutants/edits/rules.ts";
import { sqlEdits } from "../mutants/edits/sql.ts";
import { webhookEdits } from "../mutants/edits/webhooks.ts";
import { readText, root } from "../support/markdown.ts";

const edits = [
  ...ruleEdits,
  ...httpEdits,
  ...exportEdits,
  ...webhookEdits,
  ...paymentEdits,
  ...sqlEdits,
];

// Whoever changes a line that a planted mistake stands in plants it anew in the same change.
test("every mistake of `npm run mutants` stands in the code once, and names tests that exist", () => {
  const lost = edits.filter(({ file, from }) => readText(file).split(from).length !== 2);
  expect(lost.map(({ name }) => name)).toEqual([]);

  const tests = edits.flatMap((edit) => edit.tests.map((path) => join("test", path)));
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
