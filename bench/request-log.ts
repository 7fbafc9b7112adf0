import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuPerAnswer, type Spent, warm } from "./load.ts";
import { median, type TypicalRatio, typicalRatio } from "./measure.ts";
import { type DatabaseServer, startDatabase } from "./postgres.ts";
import { atLeast, number, type Options, type Row } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { type LogSide, logHeader, logSides } from "./servers/shared.ts";
import { works } from "./works.ts";

const work = "POST /checkout/sessions";
const off = "log off";
const on = "log on";
const again = "log off again";
const sides: readonly LogSide[] = [off, on, again];

/** The log writes 200 requests at once, so that a slice ends with all of its own written. */
const answers = 800;
const roundsOfOne = 80;

/**
 * Measures what the request log costs a checkout. It compares the processor time of
 * Node and of PostgreSQL with and without the log, in short slices that take turns. The
 * sides are storefronts of one process above one storage: two processes with the same
 * code differ by 8%, because V8 compiles them differently. Two of the three sides have no
 * log: their ratio to each other, which should be 1, tells how exact the result is.
 */
export async function benchRequestLog(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const database = await startDatabase();
  try {
    const sqlite = { kind: "sqlite", where: join(folder, "shop") };
    const postgres = { kind: "postgres", where: database.url };
    return [
      await measure("SQLite", sqlite, options, null),
      await measure("PostgreSQL", postgres, options, database),
    ];
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  name: string,
  storage: { readonly kind: string; readonly where: string },
  { seconds, rounds }: Options,
  database: DatabaseServer | null,
): Promise<Row> {
  const start = () => startServer("vitrine.ts", { ...storage, caches: true, logged: true });

  return withServers({ server: start }, async ({ server }) => {
    if (!server) throw new Error("The server did not start.");
    for (const side of sides) await warm(server, asked(server, side, seconds * 3));

    const spent: Record<LogSide, Spent[]> = { [off]: [], [on]: [], [again]: [] };
    const inDatabase = async () => (await database?.usage())?.cpu_ms ?? 0;
    for (let round = 0; round < rounds * roundsOfOne; round += 1) {
      // Every second round has the other order, and each side is first in every third.
      const order = round % 2 === 0 ? sides : sides.toReversed();
      for (const place of order.keys()) {
        const side = order[(place + round) % order.length] ?? off;
        const slice = { ...asked(server, side, seconds), answers };
        spent[side].push(await cpuPerAnswer(server, slice, inDatabase));
      }
      process.stderr.write(".");
    }
    return rowOf(name, spent);
  });
}

const asked = (server: Served, side: LogSide, seconds: number) => ({
  ...works[work](server, seconds),
  headers: () => ({ [logHeader]: logSides[side] }),
});

function rowOf(name: string, spent: Readonly<Record<LogSide, readonly Spent[]>>): Row {
  const sums = (side: LogSide): readonly number[] =>
    spent[side].map(({ node, beside }) => node + beside);
  const [first, second, logged] = [sums(off), sums(again), sums(on)];
  const both = first.map((own, at) => (own + (second[at] ?? Number.NaN)) / 2);

  const log = typicalRatio(both.map((own, at) => own / (logged[at] ?? Number.NaN)));
  const none = typicalRatio(first.map((own, at) => own / (second[at] ?? Number.NaN)));
  const base = 1_000 / median(both);

  return {
    work: `${work} with the request log, ${name}`,
    unit: "per CPU second",
    values: { [off]: base, [again]: base * none.ratio, [on]: base * log.ratio },
    base: off,
    targets: atLeast(on, { [off]: 0.97 }),
    note:
      `With 95% certainty the ratio of the log lies ${spread(log)}, and that of none against none ` +
      `${spread(none)}, by ${both.length} rounds. A checkout took ${partsOf(spent[off])} without ` +
      `the log, and ${partsOf(spent[on])} with it.`,
  };
}

const spread = ({ low, high }: TypicalRatio): string =>
  `between ${number(low)} and ${number(high)}`;

function partsOf(slices: readonly Spent[]): string {
  const microseconds = (part: keyof Spent): number =>
    1_000 * median(slices.map((slice) => slice[part]));
  const beside = microseconds("beside");
  const node = `${number(microseconds("node"))} µs in Node`;
  return beside === 0 ? node : `${node} and ${number(beside)} µs in PostgreSQL`;
}
