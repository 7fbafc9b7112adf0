import { expect, test } from "vitest";
import { actions, dashboardActions, isDashboardAction } from "../../src/owner/actions.ts";
import { readText, root } from "../support/markdown.ts";

// The tables of the documents that the code holds: `vitest -u` writes them anew.

async function expectTable(path: string, mark: string, head: string, rows: readonly string[]) {
  const table = [head, "| --- | --- |", ...rows].join("\n");
  const parts = new RegExp(
    `^([\\s\\S]*<!-- ${mark} -->\\n)([\\s\\S]*?)(<!-- /${mark} -->[\\s\\S]*)$`,
  );
  const [, before = "", , after = ""] = parts.exec(readText(path)) ?? [];
  await expect(`${before}${table}\n${after}`).toMatchFileSnapshot(`${root}/${path}`);
}

const row = ([name, text]: readonly [string, string]): string => `| \`${name}\` | ${text} |`;

test("the guide's table of actions is the one that the dashboard judges by", async () => {
  const rows = Object.entries(dashboardActions).map(row);
  await expectTable("docs/dashboard.md", "actions", "| action | what it allows |", rows);
});

test("the contract's table of audited actions is the one that the audit log is written by", async () => {
  const rows = Object.entries(actions).filter(([name]) => !isDashboardAction(name));
  const head = "| action | what it does |";
  await expectTable("docs/contract/dashboard.md", "audit actions", head, rows.map(row));
});
