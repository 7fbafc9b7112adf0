import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sideOf } from "./checkout-cost/build.ts";
import type { Settings, Slice } from "./checkout-cost/side.ts";
import { median, quartiles } from "./measure.ts";
import { type DatabaseServer, settle, startDatabase } from "./postgres.ts";
import type { Rush } from "./purchase.ts";
import { atLeast, number, type Options, type Row } from "./row.ts";

/** So many processes of each side are measured, one after the other. */
const processes = 5;
const now = "now";
const sides = ["base", now] as const;
type Side = (typeof sides)[number];

/** One slice of one side used this. */
interface Used {
  readonly perSecond: number;
  /** It is in milliseconds of a processor for one purchase. */
  readonly node: number;
  readonly database: number;
  /** PostgreSQL wrote this many bytes to its log for one purchase. */
  readonly log: number;
}

interface Buyer {
  warm(rush: Rush): Promise<void>;
  slice(rush: Rush): Promise<Used>;
  stop(): Promise<void>;
}

/**
 * Compares what a paid purchase costs in the working tree and at an older commit, on each storage.
 * The two take turns in short slices and stay alive between them. The processor time of Node and of
 * the database hardly depends on what else the machine does, so that it is the figure; each pair of
 * slices gives one ratio.
 */
export async function benchCheckoutCost({ seconds, rounds, base }: Options): Promise<Row[]> {
  if (!base) return [];

  const bundles = { base: await sideOf(base), [now]: await sideOf(null) };
  // Many short slices: other work of the machine then affects both slices of a pair alike.
  const turns = { rush: { atOnce: 16, seconds: seconds / 2 }, pairs: rounds * 10 };
  const rows: Row[] = [];
  for (const kind of ["memory", "sqlite", "postgres"] as const)
    rows.push(...(await compare(kind, bundles, turns)));
  return rows;
}

const names = { memory: "memory", sqlite: "SQLite", postgres: "PostgreSQL" } as const;

async function compare(
  kind: Settings["kind"],
  bundles: Readonly<Record<Side, string>>,
  { rush, pairs }: { readonly rush: Rush; readonly pairs: number },
): Promise<Row[]> {
  const used: Record<Side, Used[]> = { base: [], [now]: [] };
  // V8 compiles the same code differently in each process, which alone makes 8%.
  for (let turn = 0; turn < processes; turn += 1)
    await buyInTurns(kind, bundles, { rush, pairs, used });
  return [cpuRow(kind, used), timeRow(kind, used)];
}

interface Turns {
  readonly rush: Rush;
  readonly pairs: number;
  /** The slices are added to these lists. */
  readonly used: Readonly<Record<Side, Used[]>>;
}

/** Buys in slices of both sides, in a new process for each. */
async function buyInTurns(
  kind: Settings["kind"],
  bundles: Readonly<Record<Side, string>>,
  { rush, pairs, used }: Turns,
): Promise<void> {
  const buyers: (readonly [Side, Buyer])[] = [];
  try {
    for (const side of sides) buyers.push([side, await openBuyer(kind, bundles[side])]);
    // In the first seconds V8 still compiles.
    const longer = { ...rush, seconds: rush.seconds * 8 };
    for (const [, buyer] of buyers) await buyer.warm(longer);
    for (let pair = 0; pair < pairs; pair += 1) {
      // Each side goes first in every second pair.
      for (const [side, buyer] of pair % 2 === 0 ? buyers : buyers.toReversed())
        used[side].push(await buyer.slice(rush));
      process.stderr.write(".");
    }
  } finally {
    for (const [, buyer] of buyers) await buyer.stop();
  }
}

type AllUsed = Readonly<Record<Side, readonly Used[]>>;

function cpuRow(kind: Settings["kind"], used: AllUsed): Row {
  const cpuOf = ({ node, database }: Used): number => node + database;
  const ratios = ratiosOf(used, (slice) => 1 / cpuOf(slice));
  const base = 1_000 / median(used.base.map(cpuOf));
  const part = (side: Side, name: keyof Used): string =>
    number(median(used[side].map((slice) => slice[name])));
  const parts = (side: Side): string =>
    kind === "postgres"
      ? `${part(side, "node")} ms in Node, ${part(side, "database")} ms in PostgreSQL and ${part(side, "log")} bytes of its log`
      : `${part(side, "node")} ms`;

  return {
    work: `processor time of a paid checkout, ${names[kind]}`,
    unit: "per CPU second",
    values: { base, [now]: base * median(ratios) },
    base: "base",
    targets: atLeast(now, { base: 0.95 }),
    note: `${spread(ratios)} For one purchase base used ${parts("base")}; now it is ${parts(now)}.`,
  };
}

function timeRow(kind: Settings["kind"], used: AllUsed): Row {
  const ratios = ratiosOf(used, ({ perSecond }) => perSecond);
  const base = median(used.base.map(({ perSecond }) => perSecond));
  return {
    work: `paid checkout, 16 at once, ${names[kind]}`,
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

async function openBuyer(kind: Settings["kind"], bundle: string): Promise<Buyer> {
  const folder = mkdtempSync(join(inMemory, "vitrine-bench-"));
  // Each side has a server of its own: its processor time is all for this side.
  const database = kind === "postgres" ? await startDatabase() : null;
  const where = database?.url ?? join(folder, "shop.sqlite");
  const child = fork(bundle, [JSON.stringify({ kind, where } satisfies Settings)], {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const ask = asker(child);
  await ask(null);

  return {
    async warm(rush) {
      await ask(rush);
      // Autovacuum would do this in the first minute. Until then plans are made for empty tables.
      if (database) await settle(database.url);
      await ask(rush);
    },
    slice: (rush) => sliceOf(database, () => ask(rush)),
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
    throw new Error(`The process of purchases ended with ${code}.`);
  });
  ended.catch(() => {});

  return async (rush: Rush | null): Promise<Slice> => {
    const answer = once(child, "message");
    if (rush) child.send(rush);
    const [given] = await Promise.race([answer, ended]);
    return given as Slice;
  };
}

async function sliceOf(database: DatabaseServer | null, run: () => Promise<Slice>): Promise<Used> {
  const before = await database?.usage();
  const { purchases, ms, cpu_ms } = await run();
  const after = await database?.usage();

  const each = (name: "cpu_ms" | "log"): number =>
    ((after?.[name] ?? 0) - (before?.[name] ?? 0)) / purchases;
  return {
    perSecond: (purchases / ms) * 1_000,
    node: cpu_ms / purchases,
    database: each("cpu_ms"),
    log: each("log"),
  };
}
