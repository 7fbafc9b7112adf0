// Plants mistakes one at a time and tells which of them the tests notice:
//   npx tsx test/mutants/run.ts [--trust] [part of a name or file …]
// Each is made in a copy of the repository, on SQLite and PostgreSQL, with the tests that are named
// for it. These pass without a mistake first, else their mistakes do not count as caught; `--trust`
// leaves this out. Tests that do not end have noticed nothing, because a busy machine is slow too,
// unless the mistake is one that loops: they run once more at the end.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../support/postgres-server.ts";
import { allEdits } from "./all-edits.ts";
import type { Edit } from "./edit.ts";

const root = resolve(import.meta.dirname, "../..");
const leastCaught = 0.95;
const oneLimitMs = 300_000;

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

/** The file below `folder` after the edit. Throws when the edit does not fit any more. */
function edited(folder: string, { name, file, from, to }: Edit): string {
  const text = readFileSync(join(folder, file), "utf8");
  const places = text.split(from).length - 1;
  if (places !== 1)
    throw new Error(`"${name}" does not fit: its text stands ${places} times in ${file}.`);
  return text.replace(from, () => to);
}

interface TestRun extends Pick<Edit, "tests"> {
  readonly cases: string | undefined;
  readonly copy: string;
  readonly databaseUrl: string;
}

/** The run of the tests that is under way, in a process group of its own. */
let running: ChildProcess | undefined;
let isInterrupted = false;

async function runTests({ copy, tests, cases, databaseUrl }: TestRun): Promise<Run> {
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
  }, oneLimitMs);
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
  writeFileSync(target, edited(copy, edit));

  try {
    return await runTests({ copy, tests: edit.tests, cases: edit.cases, databaseUrl });
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

type Verdict = "caught" | "SURVIVED" | "timed out" | "not judged";

function verdictOf({ isEndless = false }: Edit, { outcome }: Run): Verdict {
  if (outcome === "passed") return "SURVIVED";
  if (outcome === "failed" || isEndless) return "caught";
  return "timed out";
}

/** Runs test files without a mistake, each once for all the mistakes that name it. */
function untouchedTests(copy: string, databaseUrl: string) {
  const passed = new Map<string, boolean>();

  return async function pass({ tests, cases }: Edit): Promise<boolean> {
    for (const test of tests) {
      const key = `${test} ${cases ?? ""}`;
      if (!passed.has(key)) {
        const run = await runTests({ copy, tests: [test], cases, databaseUrl });
        passed.set(key, run.outcome === "passed");
        if (run.outcome !== "passed")
          console.error(`${test} has ${run.outcome} without a mistake.\n${run.output}`);
      }
      if (!passed.get(key)) return false;
    }
    return true;
  };
}

for (const edit of edits) edited(root, edit);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    isInterrupted = true;
    if (running) endGroup(running);
  });

const server = await startServer();
const copy = copyRepository();
const verdicts = new Map<Edit, Verdict>();
const passUntouched = untouchedTests(copy, server.url);

async function judge(edit: Edit): Promise<void> {
  const started = performance.now();
  const isJudged = options.trust || (await passUntouched(edit));
  const verdict = isJudged ? verdictOf(edit, await plant(copy, edit, server.url)) : "not judged";
  if (isInterrupted) throw new Error("The run was interrupted.");
  verdicts.set(edit, verdict);

  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const place = `${edits.indexOf(edit) + 1}/${edits.length}`;
  console.log(`${place} ${verdict} in ${seconds} s: ${edit.name} (${edit.file})`);
}

try {
  for (const edit of edits) await judge(edit);

  const late = edits.filter((edit) => verdicts.get(edit) === "timed out");
  for (const edit of late) await judge(edit);
} finally {
  rmSync(copy, { recursive: true, force: true });
  await server.stop();

  const all = [...verdicts.values()];
  for (const verdict of ["caught", "SURVIVED", "timed out", "not judged"] as const)
    console.log(`${verdict}: ${all.filter((each) => each === verdict).length}`);
  const caught = all.filter((verdict) => verdict === "caught").length;
  const share = caught / edits.length;
  console.log(`${caught} of ${edits.length} mistakes were caught (${(share * 100).toFixed(1)}%).`);
  if (share < leastCaught) process.exitCode = 1;
}
