// Plants mistakes one at a time and tells which of them the tests notice:
//   npm run mutants -- [--trust] [part of a name or file …]
// Each is made in a copy of the repository, on SQLite and PostgreSQL, with the tests that are named
// for it. A mistake that makes them loop without end is caught by the time limit. The tests run
// without a mistake first, unless `--trust` is given.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../support/postgres-server.ts";
import type { Edit } from "./edit.ts";
import { httpEdits } from "./edits/http.ts";
import { paymentEdits } from "./edits/payments.ts";
import { ruleEdits } from "./edits/rules.ts";
import { sqlEdits } from "./edits/sql.ts";
import { webhookEdits } from "./edits/webhooks.ts";

const root = resolve(import.meta.dirname, "../..");
const allEdits = [...ruleEdits, ...httpEdits, ...webhookEdits, ...paymentEdits, ...sqlEdits];
const leastCaught = 0.95;
const oneLimitMs = 300_000;
/** All test files at once take longer than those of one mistake. */
const untouchedLimitMs = 1_800_000;

interface Run {
  readonly outcome: "passed" | "failed" | "timed_out";
  /** The end of what the tests printed. */
  readonly output: string;
}

/** A copy of the repository's files, as they are now, with its packages. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "vitrine-mutants-"));
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files.filter(Boolean))
    cpSync(join(root, file), join(copy, file), { recursive: true, force: true });

  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** The file after the edit. Throws when the edit does not fit any more. */
function edited({ name, file, from, to }: Edit): string {
  const text = readFileSync(join(root, file), "utf8");
  const places = text.split(from).length - 1;
  if (places !== 1)
    throw new Error(`"${name}" does not fit: its text stands ${places} times in ${file}.`);
  return text.replace(from, () => to);
}

interface TestRun extends Pick<Edit, "tests" | "cases"> {
  readonly copy: string;
  readonly databaseUrl: string;
  readonly limitMs: number;
}

/** The run of the tests that is under way, in a process group of its own. */
let running: ChildProcess | undefined;
let isInterrupted = false;

async function runTests({ copy, tests, cases, databaseUrl, limitMs }: TestRun): Promise<Run> {
  const files = tests.map((test) => join("test", test));
  const only = cases === undefined ? [] : ["--testNamePattern", cases];
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "--bail", "1"];
  const child = spawn(process.execPath, [...args, "--reporter", "dot", ...only, ...files], {
    cwd: copy,
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // its workers end with it, also one that loops
  });

  running = child;

  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part: Buffer) => {
      output = (output + part).slice(-20_000);
    });

  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, limitMs);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  running = undefined;

  if (isLate) return { outcome: "timed_out", output };
  return { outcome: code === 0 ? "passed" : "failed", output };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

/** Runs the tests on the mistake alone; the copy is as before afterwards. */
async function plant(copy: string, edit: Edit, databaseUrl: string): Promise<Run> {
  const target = join(copy, edit.file);
  const before = readFileSync(target);
  writeFileSync(target, edited(edit));

  try {
    return await runTests({ ...edit, copy, databaseUrl, limitMs: oneLimitMs });
  } finally {
    writeFileSync(target, before);
  }
}

const { values: options, positionals: words } = parseArgs({
  options: { trust: { type: "boolean" } },
  allowPositionals: true,
});
const isWanted = ({ name, file }: Edit): boolean =>
  words.length === 0 || words.some((word) => name.includes(word) || file.includes(word));
const edits = allEdits.filter(isWanted);

/** Throws when the tests fail by themselves: what they would notice then says nothing. */
async function checkUntouched(copy: string, databaseUrl: string): Promise<void> {
  const tests = [...new Set(edits.flatMap((edit) => edit.tests))];
  const run = await runTests({ copy, tests, databaseUrl, limitMs: untouchedLimitMs });
  if (run.outcome === "passed") return;

  console.error(run.output);
  throw new Error(`The tests have ${run.outcome} before any mistake is planted.`);
}

for (const edit of edits) edited(edit);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    isInterrupted = true;
    if (running) endGroup(running);
  });

const server = await startServer();
const copy = copyRepository();
const survivors: Edit[] = [];

try {
  if (!options.trust) await checkUntouched(copy, server.url);

  for (const [index, edit] of edits.entries()) {
    if (isInterrupted) throw new Error("The run was interrupted.");
    const started = performance.now();
    const { outcome } = await plant(copy, edit, server.url);
    if (outcome === "passed") survivors.push(edit);

    const verdict = { passed: "SURVIVED", failed: "caught", timed_out: "caught (endless)" }[
      outcome
    ];
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    const place = `${index + 1}/${edits.length}`;
    console.log(`${place} ${verdict} in ${seconds} s: ${edit.name} (${edit.file})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
  await server.stop();
}

const caught = edits.length - survivors.length;
const share = caught / edits.length;
console.log(`${caught} of ${edits.length} mistakes were caught (${(share * 100).toFixed(1)}%).`);
if (share < leastCaught) process.exitCode = 1;
