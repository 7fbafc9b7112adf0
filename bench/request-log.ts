import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, warm } from "./load.ts";
import { median } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import { atLeast, type Options, type Row } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { works } from "./works.ts";

const work = "POST /checkout/sessions";
const off = "log off";
const on = "log on";

/**
 * Measures what the request log costs a checkout. It compares the processor time of
 * the server with and without the log, in pairs that run one after the other, and
 * gives the median of the pairs.
 */
export async function benchRequestLog(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const databases = [await newDatabase(), await newDatabase()];
  try {
    return [
      await measure("SQLite", "sqlite", [join(folder, "off"), join(folder, "on")], options),
      await measure("PostgreSQL", "postgres", databases, options),
    ];
  } finally {
    for (const database of databases) await dropDatabase(database);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  name: string,
  kind: "sqlite" | "postgres",
  [first, second]: readonly string[],
  options: Options,
): Promise<Row> {
  const settings = { kind, caches: true };
  const sides = {
    [off]: () => startServer("vitrine.ts", { ...settings, where: first }),
    [on]: () => startServer("vitrine.ts", { ...settings, where: second, logged: true }),
  };

  return withServers(sides, async ({ [off]: without, [on]: logged }) => {
    if (!without || !logged) throw new Error("A server did not start.");
    const perCpuSecond = async (server: Served): Promise<number> =>
      (await load(server, works[work](server, options.seconds))).perCpuSecond;

    for (const server of [without, logged]) await warm(server, works[work](server, 1));
    const pairs: { readonly base: number; readonly ratio: number }[] = [];
    for (let round = 0; round < options.rounds * 5; round += 1) {
      // Each side goes first in every second pair.
      const early = round % 2 === 0 ? await perCpuSecond(without) : null;
      const own = await perCpuSecond(logged);
      const base = early ?? (await perCpuSecond(without));
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
