import { expect, test } from "vitest";
import { dashboardActions } from "../../src/owner/actions.ts";
import { readText, root } from "../support/markdown.ts";

// The table of docs/dashboard.md that the code holds: `vitest -u` writes it anew.

test("the guide's table of actions is the one that the dashboard judges by", async () => {
  const rows = Object.entries(dashboardActions).map(([name, text]) => `| \`${name}\` | ${text} |`);
  const table = ["| action | what it allows |", "| --- | --- |", ...rows].join("\n");

  const guide = readText("docs/dashboard.md");
  const [, before = "", , after = ""] =
    /^([\s\S]*<!-- actions -->\n)([\s\S]*?)(<!-- \/actions -->[\s\S]*)$/.exec(guide) ?? [];
  await expect(`${before}${table}\n${after}`).toMatchFileSnapshot(`${root}/docs/dashboard.md`);
});
