import { expect, test } from "vitest";
import { commands } from "../../adapters/cli/commands/table.js";
import { commandRuns } from "./command-runs.js";

test("every command of the table is run from the installed package", () => {
  const typed = commandRuns.map((run) => `${run.typed} `);
  const untried = commands.filter(({ name }) => !typed.some((text) => text.startsWith(`${name} `)));

  expect(untried.map(({ name }) => name)).toEqual([]);
});
