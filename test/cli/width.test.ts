import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { commands, groups } from "../../adapters/cli/commands/table.ts";
import { buildProgram } from "../../adapters/cli/frame/program.ts";
import { wrapLine } from "../../adapters/cli/frame/screen.ts";
import { newProject, type Project, sqliteHost } from "./project.ts";

const columns = 80;

/** A line may be wider for a word that is copied as a whole: an id, a key, an address. */
const wideLines = (text: string): readonly string[] =>
  text
    .replace(/\x1b\[[\d;?]*[A-Za-z]/g, "")
    .split(/\r?\n/)
    .map((line) => line.split("\r").at(-1) ?? "")
    .filter((line) => [...line].length > columns && !/(hk|whsec|evt|ord|sub)_\w{20}/.test(line));

const commandsOf = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(commandsOf),
];

test("no line of any --help is wider than 80 columns", async () => {
  const program = buildProgram({ version: "1", commands, groups, run: async () => {} });
  const all = commandsOf(program);
  expect(all.length).toBeGreaterThan(commands.length);
  for (const command of all) {
    let text = "";
    const writeOut = (part: string): void => {
      text += part;
    };
    command.configureOutput({ writeOut, getOutHelpWidth: () => columns });
    command.outputHelp();
    expect([command.name(), text]).toEqual([command.name(), expect.stringContaining("Usage:")]);
    expect(wideLines(text)).toEqual([]);
    const copied = text.replaceAll("\\\n", "").replace(/ +/g, " ");
    const parents = command.parent === program || !command.parent ? [] : [command.parent.name()];
    const name = [...parents, command.name()].join(" ");
    expect(copied).toContain(commands.find((row) => row.name === name)?.example ?? "Usage:");
  }
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

/** Runs the command in a terminal of 80 columns, and gives what it shows. */
async function runOnTerminal(project: Project, words: string): Promise<string> {
  const cli = `${process.execPath} --no-warnings node_modules/vitrine/dist/cli.js`;
  const line = `stty cols ${columns}; exec ${cli} ${words}`;
  const options = { cwd: project.folder, env: { PATH: process.env["PATH"], TERM: "xterm" } };
  const ended = promisify(execFile)("script", ["-qec", line, "/dev/null"], options);
  const { stdout } = await ended.catch((failed: { stdout: string }) => failed);
  return stdout;
}

test.skipIf(!hasScript)(
  "no line of an answer, a list or an error is wider than the terminal, and ids are whole",
  async () => {
    const project = await newProject();
    project.write("vitrine.config.mjs", sqliteHost);
    expect(await runOnTerminal(project, "doctor")).toContain("\x1b[31m✗");
    expect(await runOnTerminal(project, "migrate --dry-run")).toMatch(/Migrations 1 to \d+ would/);
    const keys = `hk_live_sec_${"a".repeat(40)}`;
    const shown: string[] = [];
    for (const words of [
      "migrate --yes",
      "migrate --yes --dry-run",
      "products list",
      "seed",
      "trigger order.paid",
      "stores list",
      "stores show",
      "products list",
      "keys list",
      "keys create kind=secret",
      "coupons create code=TEN discount_type=percentage discount_amount:=10",
      "coupons list",
      "origins list",
      "endpoints create url=https://no-such-host.example.invalid/hook",
      "drain --yes",
      "maintain --yes",
      "clock --by 31d",
      "stats",
      "doctor",
      "sql mysql",
      "listen",
      `keys show ${keys}`,
      "conformance --grep nothing-has-this-name",
    ]) {
      const text = await runOnTerminal(project, words);
      expect([words, wideLines(text)]).toEqual([words, []]);
      shown.push(text);
    }
    const list = shown.join("");
    expect(list.match(/key_[0-9A-Z]{26} /g)?.length).toBeGreaterThanOrEqual(3);
    expect(list).toMatch(/\x1b\[1mid +kind/);
  },
  300_000,
);

test("a line is broken at spaces alone, under the value of a field", () => {
  expect(wrapLine("scopes  one two three four", 20)).toBe("scopes  one two\n        three four");
  expect(wrapLine("Error: this is a sentence", 12)).toBe("Error: this\nis a\nsentence");
  expect(wrapLine(`a ${"w".repeat(20)} b`, 10)).toBe(`a\n${"w".repeat(20)}\nb`);
  expect(wrapLine("\x1b[31mshort line\x1b[0m", 10)).toBe("\x1b[31mshort line\x1b[0m");
  expect(wrapLine("select 1\n  from a_table", 10)).toBe("select 1\n  from a_table");
});
