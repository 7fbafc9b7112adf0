import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { newProject, type Project, sqliteHost } from "./project.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** What is typed, with the key of completion as `→`, and the line that it gives. */
const typed: readonly (readonly [keys: string, line: string])[] = [
  ["do→", "doctor"],
  ["ev→sh→evt_1 --js→", "events show evt_1 --json"],
  ["trigger order.pa→--or→ord_1", "trigger order.paid --order ord_1"],
  ["init --host exp→", "init --host express"],
  ["listen --url http://localhost --for→", "listen --url http://localhost --forward-to"],
  ["seed --config vitrine.con→", "seed --config vitrine.config.mjs"],
  ["completion zs→", "completion zsh"],
];

async function openProject(shell: string): Promise<Project> {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  project.write("functions/_vitrine", (await project.run(`completion ${shell}`)).out);
  return project;
}

/** Types into a shell on a terminal of its own, and gives what the command was called with. */
async function typeInto({ folder }: Project, shell: string, keys: string): Promise<string> {
  const env = { PATH: process.env["PATH"], TERM: "dumb", HOME: folder, ZDOTDIR: folder };
  const terminal = spawn("script", ["-qec", shell, "/dev/null"], { cwd: folder, env });
  let shown = "";
  terminal.stdout.on("data", (part) => {
    shown += part;
  });
  try {
    await expect.poll(() => shown, { timeout: 30_000 }).toContain("ready> ");
    terminal.stdin.write(`vitrine ${keys.replaceAll("→", "\t")}\n`);
    await expect.poll(() => shown, { timeout: 30_000 }).toMatch(/called with: .*\r?\n/);
    return /called with: (.*?)\r?\n/.exec(shown)?.[1] ?? "";
  } finally {
    // A shell that is killed writes its history while the folder is deleted.
    const ended = once(terminal, "close");
    terminal.stdin.write("exit\n");
    await ended;
  }
}

const stub = `unset HISTFILE\nvitrine() { echo "called with: $*"; }\n`;

test.skipIf(!has("script"))(
  "bash completes by the key: commands, choices, files",
  async () => {
    const project = await openProject("bash");
    project.write("rc.sh", `source functions/_vitrine\n${stub}PS1="ready> "\n`);
    for (const [keys, line] of typed)
      expect(await typeInto(project, "bash --rcfile rc.sh -i", keys)).toBe(line);
  },
  120_000,
);

test.skipIf(!has("script") || !has("zsh")).each([
  [
    "from a folder of fpath",
    "fpath=($PWD/functions $fpath)\nautoload -Uz compinit\ncompinit -u -D\n",
  ],
  ["by source", "autoload -Uz compinit\ncompinit -u -D\nsource functions/_vitrine\n"],
])(
  "zsh completes by the key, %s",
  async (_way, setup) => {
    const project = await openProject("zsh");
    project.write(".zshrc", `${setup}${stub}PROMPT="ready> "\n`);
    for (const [keys, line] of typed) expect(await typeInto(project, "zsh -d -i", keys)).toBe(line);
  },
  120_000,
);

test.skipIf(!has("fish"))(
  "fish completes what is typed so far, each word in its place",
  async () => {
    const project = await openProject("fish");
    const complete = (line: string): readonly string[] => {
      const program = `source functions/_vitrine; complete -C "vitrine ${line}"`;
      const env = { PATH: process.env["PATH"], HOME: project.folder };
      const out = execFileSync("fish", ["--no-config", "-c", program], {
        cwd: project.folder,
        env,
        encoding: "utf8",
      });
      return out.split("\n").flatMap((word) => word.split("\t")[0] || []);
    };
    for (const [keys, line] of typed) {
      let given = "";
      for (const part of keys.split("→").slice(0, -1)) {
        const before = `${given}${part}`;
        const found = complete(before);
        expect([before, found]).toEqual([before, [expect.any(String)]]);
        given = `${before.slice(0, before.lastIndexOf(" ") + 1)}${found[0]} `;
      }
      expect(line).toContain(given.trim());
    }
    expect(complete("events ")).toEqual(["resend", "show", "tail"]);
    expect(complete("li")).toEqual(["listen"]);
  },
  120_000,
);
