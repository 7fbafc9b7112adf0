import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, warm } from "./load.ts";
import { median } from "./measure.ts";
import { type DatabaseServer, startDatabase } from "./postgres.ts";
import { atLeast, type Options, type Row } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { works } from "./works.ts";

const work = "POST /checkout/sessions";
const off = "log off";
const on = "log on";

/**
 * Measures what the request log costs a checkout. It compares the processor time of
 * Node and of PostgreSQL with and without the log, in pairs that run one after the
 * other, and gives the median of the pairs.
 */
export async function benchRequestLog(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const files = { [off]: join(folder, "off"), [on]: join(folder, "on") };
  // A server of its own for each side: its processor time is all for this side.
  const databases = { [off]: await startDatabase(), [on]: await startDatabase() };
  try {
    return [
      await measure({ name: "SQLite", kind: "sqlite", where: files }, options),
      await measure(
        {
          name: "PostgreSQL",
          kind: "postgres",
          where: { [off]: databases[off].url, [on]: databases[on].url },
          databases,
        },
        options,
      ),
    ];
  } finally {
    for (const database of Object.values(databases)) await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Side = typeof off | typeof on;

interface Subject {
  readonly name: string;
  readonly kind: "sqlite" | "postgres";
  readonly where: Readonly<Record<Side, string>>;
  readonly databases?: Readonly<Record<Side, DatabaseServer>>;
}

async function measure({ name, kind, where, databases }: Subject, options: Options): Promise<Row> {
  const settings = { kind, caches: true };
  const sides = {
    [off]: () => startServer("vitrine.ts", { ...settings, where: where[off] }),
    [on]: () => startServer("vitrine.ts", { ...settings, where: where[on], logged: true }),
  };

  return withServers(sides, async ({ [off]: without, [on]: logged }) => {
    if (!without || !logged) throw new Error("A server did not start.");
    const servers: Readonly<Record<Side, Served>> = { [off]: without, [on]: logged };
    const perCpuSecond = async (side: Side): Promise<number> => {
      const server = servers[side];
      const extra = async () => (await databases?.[side].usage())?.cpu_ms ?? 0;
      return (await load(server, works[work](server, options.seconds), extra)).perCpuSecond;
    };

    for (const server of [without, logged]) await warm(server, works[work](server, 1));
    const pairs: { readonly base: number; readonly ratio: number }[] = [];
    for (let round = 0; round < options.rounds * 5; round += 1) {
      // Each side goes first in every second pair.
      const early = round % 2 === 0 ? await perCpuSecond(off) : null;
      const own = await perCpuSecond(on);
      const base = early ?? (await perCpuSecond(off));
      pairs.push({ base, ratio: own / base });
      process.stderr.write(".");
    }

    const base = median(pairs.map((pair) => pair.base));
    const values = { [off]: base, [on]: base * median(pairs.map(({ ratio }) => ratio)) };
    return {
      work: `${work} with the request log, ${name}`,
      unit: "per CPU second",
      values,
      base: off,
      targets: atLeast(on, { [off]: 0.97 }),
    };
  });
}
