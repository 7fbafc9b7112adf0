import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sideOf } from "./cost/build.ts";
import type { Settings, Slice, Wish } from "./cost/side.ts";
import type { WorkName } from "./cost/work.ts";
import { median, quartiles } from "./measure.ts";
import { type DatabaseServer, settle, startDatabase } from "./postgres.ts";
import type { Rush } from "./purchase.ts";
import { atLeast, number, type Options, type Row } from "./row.ts";

/** So many processes of each side are measured, one after the other. */
const processes = 5;
const now = "now";
const sides = ["base", now] as const;
type Side = (typeof sides)[number];

/** What one slice of one side used. */
interface Used {
  readonly perSecond: number;
  /** Milliseconds of a processor for one piece of work. */
  readonly node: number;
  readonly database: number;
  /** Bytes that PostgreSQL wrote to its log for one piece of work. */
  readonly log: number;
}

interface Worker {
  warm(rush: Rush): Promise<void>;
  slice(rush: Rush): Promise<Used>;
  stop(): Promise<void>;
}

/** What is done, and where. */
type Job = Pick<Settings, "work" | "kind">;

/**
 * Compares what a piece of work costs in the working tree and at an older commit, on each storage.
 * The two take turns in short slices and stay alive between them. The processor time of Node and of
 * the database hardly depends on what else the machine does, so that it is the figure; each pair of
 * slices gives one ratio.
 */
export async function benchCost({ seconds, rounds, base }: Options): Promise<Row[]> {
  if (!base) return [];

  const bundles = { base: await sideOf(base), [now]: await sideOf(null) };
  // Many short slices: other work of the machine then affects both slices of a pair alike.
  const turns = { rush: { atOnce: 16, seconds: seconds / 2 }, pairs: rounds * 10 };
  const rows: Row[] = [];
  for (const work of ["checkout", "list", "detail", "drain"] as const)
    for (const kind of ["memory", "sqlite", "postgres"] as const)
      rows.push(...(await compare({ work, kind }, bundles, turns)));
  return rows;
}

const storages = { memory: "memory", sqlite: "SQLite", postgres: "PostgreSQL" } as const;
const works: Readonly<Record<WorkName, string>> = {
  checkout: "a paid checkout",
  list: "a product list, caches off",
  detail: "a product, caches off",
  drain: "a delivery that the receiver takes at once",
};
const nameOf = ({ work, kind }: Job): string => `${works[work]}, ${storages[kind]}`;

async function compare(
  job: Job,
  bundles: Readonly<Record<Side, string>>,
  { rush, pairs }: { readonly rush: Rush; readonly pairs: number },
): Promise<Row[]> {
  const used: Record<Side, Used[]> = { base: [], [now]: [] };
  // V8 compiles the same code differently in each process, which alone makes 8%.
  for (let turn = 0; turn < processes; turn += 1)
    await workInTurns(job, bundles, { rush, pairs, used });
  return [cpuRow(job, used), timeRow(job, used)];
}

interface Turns {
  readonly rush: Rush;
  readonly pairs: number;
  /** The slices are added to these lists. */
  readonly used: Readonly<Record<Side, Used[]>>;
}

/** Works in slices of both sides, in a new process for each. */
async function workInTurns(
  job: Job,
  bundles: Readonly<Record<Side, string>>,
  { rush, pairs, used }: Turns,
): Promise<void> {
  const workers: (readonly [Side, Worker])[] = [];
  try {
    for (const side of sides) workers.push([side, await openWorker(job, bundles[side])]);
    // In the first seconds V8 still compiles.
    const longer = { ...rush, seconds: rush.seconds * 8 };
    for (const [, worker] of workers) await worker.warm(longer);
    for (let pair = 0; pair < pairs; pair += 1) {
      // Each side goes first in every second pair.
      for (const [side, worker] of pair % 2 === 0 ? workers : workers.toReversed())
        used[side].push(await worker.slice(rush));
      process.stderr.write(".");
    }
  } finally {
    for (const [, worker] of workers) await worker.stop();
  }
}

type AllUsed = Readonly<Record<Side, readonly Used[]>>;

function cpuRow(job: Job, used: AllUsed): Row {
  const cpuOf = ({ node, database }: Used): number => node + database;
  const ratios = ratiosOf(used, (slice) => 1 / cpuOf(slice));
  const base = 1_000 / median(used.base.map(cpuOf));
  const part = (side: Side, name: keyof Used): string =>
    number(median(used[side].map((slice) => slice[name])));
  const parts = (side: Side): string =>
    job.kind === "postgres"
      ? `${part(side, "node")} ms in Node, ${part(side, "database")} ms in PostgreSQL and ${part(side, "log")} bytes of its log`
      : `${part(side, "node")} ms`;

  return {
    work: `processor time of ${nameOf(job)}`,
    unit: "per CPU second",
    values: { base, [now]: base * median(ratios) },
    base: "base",
    targets: atLeast(now, { base: 0.98 }),
    note: `${spread(ratios)} For one piece base used ${parts("base")}; now it is ${parts(now)}.`,
  };
}

function timeRow(job: Job, used: AllUsed): Row {
  const ratios = ratiosOf(used, ({ perSecond }) => perSecond);
  const base = median(used.base.map(({ perSecond }) => perSecond));
  return {
    work: `${nameOf(job)}, 16 at once`,
    unit: "per second",
    values: { base, [now]: base * median(ratios) },
    base: "base",
    note: spread(ratios),
  };
}

const ratiosOf = (used: AllUsed, worth: (slice: Used) => number): readonly number[] =>
  used[now].flatMap((slice, at) => {
    const other = used.base[at];
    return other ? [worth(slice) / worth(other)] : [];
  });

function spread(ratios: readonly number[]): string {
  const [low, high] = quartiles(ratios);
  return `Of ${ratios.length} pairs of slices in ${processes} processes of each side, the middle half has ratios from ${number(low)} to ${number(high)}.`;
}

/** Puts SQLite's file in memory on Linux: to wait for the disk would only add noise. */
const inMemory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

async function openWorker(job: Job, bundle: string): Promise<Worker> {
  const folder = mkdtempSync(join(inMemory, "vitrine-bench-"));
  // Each side has a server of its own: its processor time is all for this side.
  const database = job.kind === "postgres" ? await startDatabase() : null;
  const where = database?.url ?? join(folder, "shop.sqlite");
  const child = fork(bundle, [JSON.stringify({ ...job, where } satisfies Settings)], {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const ask = asker(child);
  await ask(null);

  return {
    async warm(rush) {
      await ask({ step: "prepare", rush });
      await ask({ step: "run", rush });
      // Autovacuum would do this in the first minute. Until then plans are made for empty tables.
      if (database) await settle(database.url);
      await ask({ step: "prepare", rush });
      await ask({ step: "run", rush });
    },
    async slice(rush) {
      await ask({ step: "prepare", rush });
      return sliceOf(database, () => ask({ step: "run", rush }));
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
      await database?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a wish, if any, and waits for the next message. It fails when the process ends instead. */
function asker(child: ChildProcess) {
  const ended = once(child, "exit").then(([code]): never => {
    throw new Error(`The process of a side ended with ${code}.`);
  });
  ended.catch(() => {});

  return async (wish: Wish | null): Promise<Slice> => {
    const answer = once(child, "message");
    if (wish) child.send(wish);
    const [given] = await Promise.race([answer, ended]);
    return given as Slice;
  };
}

async function sliceOf(database: DatabaseServer | null, run: () => Promise<Slice>): Promise<Used> {
  const before = await database?.usage();
  const { pieces, ms, cpu_ms } = await run();
  const after = await database?.usage();

  const each = (name: "cpu_ms" | "log"): number =>
    ((after?.[name] ?? 0) - (before?.[name] ?? 0)) / pieces;
  return {
    perSecond: (pieces / ms) * 1_000,
    node: cpu_ms / pieces,
    database: each("cpu_ms"),
    log: each("log"),
  };
}
