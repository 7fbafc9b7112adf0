import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const model = readFileSync(join(root, "docs/security.md"), "utf8");

const rows = model
  .slice(model.indexOf("| asset |"), model.indexOf("## Privacy"))
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2);

test("each row of the threat model names an asset, an attacker, a defence and its tests", () => {
  expect(rows.length).toBeGreaterThanOrEqual(15);
  for (const row of rows) {
    const cells = row.split("|").slice(1, -1);
    expect([row, cells.length, cells.every((cell) => cell.trim() !== "")]).toEqual([row, 4, true]);
    expect(cells[3]).toMatch(/`test\/\S+\.test\.ts`/);
  }
});

test("the tests that the threat model names exist", () => {
  const named = [...model.matchAll(/`(test\/\S+?\.test\.ts)`/g)].map(([, path]) => path ?? "");
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
