import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { newProject, type Project, sqliteHost } from "./project.ts";

const server = `import { storefront } from "./vitrine.config.mjs";
import { toNode } from "vitrine/node";
import { createServer } from "node:http";
const handle = toNode(storefront);
createServer((q, s) => handle(q, s, () => s.writeHead(404).end())).listen(
  process.env.PORT, () => console.log("listening"));
`;

/** Reads what `ps` shows of every process of this machine. */
const processList = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readProcess(pid, "cmdline"))
    .join("\n");

/** A process that has ended meanwhile, or is another user's, tells nothing. */
function readProcess(pid: string | number, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Reads every file of a project but those that were asked for, and the packages. */
function filesOf(folder: string, but: readonly string[]): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("node_modules") && !but.includes(name))
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${name}\n${readFileSync(join(folder, name), "latin1")}`)
    .join("\n");
}

async function openHost(): Promise<{ project: Project; url: string; host: () => string }> {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  project.write("server.mjs", server);
  await project.json("migrate --yes");
  const port = String(await freePort());
  const host = project.node("server.mjs", { PORT: port });
  await host.wrote("listening");
  return { project, url: `http://127.0.0.1:${port}/v1`, host: host.text };
}

test.skipIf(process.platform !== "linux")(
  "no key is in the process list, the output, the host's log, the database or a file that was not asked for",
  async () => {
    const { project, url, host } = await openHost();
    const read = (name: string) => readFileSync(join(project.folder, name), "utf8").trim();
    let written = "";
    const run = async (words: string, env: Readonly<Record<string, string>> = {}) => {
      const { out, err } = await project.run(words, { env });
      expect([words, out]).toEqual([words, expect.stringMatching(/\w/)]);
      written += out + err;
    };
    await run("seed --secret-to key.txt");
    const other = "other.txt";
    await run(`keys create kind=secret --secret-to ${other}`);
    const keys = [read("key.txt"), read(other)];
    for (const key of keys) expect(key).toMatch(/^hk_test_sec_\w{40}/);
    const [key = ""] = keys;
    await run("trigger order.paid", { VITRINE_API_KEY: key });
    await run("doctor --json", { VITRINE_API_KEY: key, PUBLIC_URL: url.slice(0, -3) });
    await run("keys list");

    const tails = [
      project.start(`events tail --since start --url ${url} --key-file key.txt`),
      project.start(`events tail --since start --url ${url}`, { env: { VITRINE_API_KEY: key } }),
      project.start(`listen --since start --url ${url} --forward-to ${url} --key-file ${other}`),
    ];
    for (const tail of tails) await tail.wrote("order.created");
    const list = processList();
    expect(list).toContain("events tail --since start");
    const [byFile] = tails;
    written += readProcess(byFile?.process.pid ?? 0, "environ") + list;
    for (const tail of tails) {
      tail.process.kill("SIGINT");
      await tail.ended;
      written += tail.text();
    }

    // A file that others can read is refused, without a word of what is in it.
    chmodSync(join(project.folder, other), 0o644);
    const open = await project.run(`events tail --url ${url} --key-file ${other}`);
    expect([open.code, open.err]).toEqual([2, expect.stringContaining("chmod 600")]);
    written += open.out + open.err + host() + filesOf(project.folder, ["key.txt", other]);
    for (const secret of keys) expect(written.includes(secret), secret.slice(0, 14)).toBe(false);
  },
  240_000,
);

test("the shell's history has no key after all that the documentation types", async () => {
  const { project, url } = await openHost();
  const cli = `${process.execPath} --no-warnings node_modules/vitrine/dist/cli.js`;
  const typed = [
    "set -o history",
    `vitrine() { ${cli} "$@"; }`,
    "vitrine seed --secret-to key.txt",
    "vitrine keys create kind=secret --secret-to other.txt",
    `timeout -s INT 3 $(echo ${cli}) events tail --url ${url} --key-file key.txt`,
    "history -a",
  ];
  const env = { ...process.env, HISTFILE: join(project.folder, "history") };
  const input = `${typed.join("\n")}\n`;
  const options = { cwd: project.folder, env, input, encoding: "utf8" } as const;
  const shown = execFileSync("bash", ["--norc"], options);
  const history = readFileSync(env.HISTFILE, "utf8");
  expect(history).toContain("--key-file key.txt");
  for (const name of ["key.txt", "other.txt"]) {
    const key = readFileSync(join(project.folder, name), "utf8").trim();
    expect([history.includes(key), shown.includes(key)]).toEqual([false, false]);
  }
}, 120_000);

test("init gives npm no key of its own environment", async () => {
  const project = await newProject();
  project.write("bin/npm", `#!/bin/sh\nenv > "$PWD/npm.txt"; echo "$@" >> "$PWD/npm.txt"\n`);
  chmodSync(join(project.folder, "bin/npm"), 0o755);
  const key = `hk_test_sec_${"k".repeat(45)}`;
  const path = `${join(project.folder, "bin")}:${process.env["PATH"]}`;
  const env = { VITRINE_API_KEY: key, PATH: path };
  expect((await project.run("init --host node --database sqlite", { env })).code).toBe(0);
  const told = readFileSync(join(project.folder, "npm.txt"), "utf8");
  expect(told).toContain("install");
  expect(told).not.toContain(key);
});
