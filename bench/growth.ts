import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { type Fill, postgresFill, sqliteFill } from "./fill.ts";
import { type Calls, calls } from "./growth/calls.ts";
import { addStuck, createShop, grow } from "./growth/shop.ts";
import { alternate, type Measured } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row, Target } from "./row.ts";

/** A database that is filled to one size. */
interface Place {
  open(): Storage;
  fill(): Promise<Fill>;
  drop(): Promise<void>;
}

const ownCache =
  "SQLite itself keeps 2 MB of pages: a thousand products fit in, of more most pages are read " +
  "from the system's cache.";
const stuck = 200_000;
const stuckBeside = 100_000;
const name = (rows: number): string =>
  rows >= 1_000_000 ? `${rows / 1_000_000}M` : `${rows / 1_000}k`;
const beside = `${name(stuckBeside)} and ${name(stuck)} stuck`;

/**
 * Measures what a call costs as the shop grows. Calls go to the storage one at a time, with caches
 * off; the checkout goes through the whole request.
 */
export async function benchGrowth(options: Options): Promise<Row[]> {
  return [
    ...(await curves("SQLite", onSqlite, options)),
    ...(await curves("PostgreSQL", onPostgres, options)),
  ];
}

async function onSqlite(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const file = join(folder, "growth.sqlite");
  return {
    open: () => sqliteStorage(file),
    fill: async () => sqliteFill(file),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function onPostgres(): Promise<Place> {
  const url = await newDatabase();
  return {
    open() {
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      // The database may be dropped before the last connection has closed.
      pool.on("error", () => {});
      return { ...postgresStorage(pool, { preparedStatements: true }), close: () => pool.end() };
    },
    fill: () => postgresFill(url),
    drop: () => dropDatabase(url),
  };
}

async function curves(
  database: string,
  place: () => Promise<Place>,
  { seconds, rounds, large }: Options,
): Promise<Row[]> {
  const sizes = [1_000, 10_000, 100_000, ...(large ? [1_000_000] : [])];
  const shops = new Map<string, Calls>();
  const opened: (() => Promise<void>)[] = [];
  const add = async (size: number, stuckRows: number): Promise<void> => {
    const here = await place();
    opened.push(here.drop);
    const shop = await filled(here, size, stuckRows);
    // SQLite reads its statistics when it opens, so it opens after the filling.
    const storage = here.open();
    opened.push(() => storage.close());
    shops.set(stuckRows > 0 ? beside : name(size), calls(storage, shop, size, seconds / 5));
    process.stderr.write("+");
  };
  try {
    for (const size of sizes) await add(size, 0);
    await add(stuckBeside, stuck);
    const measure = (call: keyof Calls, among: readonly string[]): Promise<Measured> =>
      alternate(
        rounds,
        Object.fromEntries(
          among.map((size) => [size, async () => (await shops.get(size)?.[call]()) ?? Number.NaN]),
        ),
      );
    const rows: Row[] = [];
    for (const call of Object.keys(shops.get(beside) ?? {}) as (keyof Calls)[]) {
      if (call !== "claim beside a stuck endpoint")
        rows.push(curve(call, database, await measure(call, sizes.map(name))));
      else {
        const measured = await measure(call, [name(stuckBeside), beside]);
        const targets: Target[] = [{ side: beside, base: name(stuckBeside), atMost: 1.5 }];
        rows.push({
          work: `claim of 100 due rows beside a stuck endpoint, ${database}`,
          unit: "ms",
          ...measured,
          base: name(stuckBeside),
          targets,
        });
      }
    }
    return rows;
  } finally {
    for (const undo of opened.reverse()) await undo();
  }
}

async function filled(place: Place, rows: number, stuckRows: number) {
  const storage = place.open();
  const fill = await place.fill();
  try {
    const shop = await createShop(storage, fill);
    await grow(fill, shop, rows);
    if (stuckRows > 0) await addStuck(fill, shop, stuckRows);
    await fill.analyze();
    return shop;
  } finally {
    await fill.close();
    await storage.close();
  }
}

function curve(call: string, database: string, measured: Measured): Row {
  const last = Object.keys(measured.values).at(-1) ?? "";
  const flat = (base: string, atMost: number): Target[] => [{ side: last, base, atMost }];
  const targets =
    call === "list by cursor" ? flat("1k", 1.3) : call.startsWith("claim") ? flat("10k", 1.5) : [];
  if (call.startsWith("search")) targets.push({ side: last, atMost: 3 });
  const note = call === "list by cursor" && database === "SQLite" ? ownCache : undefined;
  return {
    work: `${call}, ${database}`,
    unit: "ms",
    ...measured,
    base: "1k",
    targets,
    note,
    plot: { name: call, line: database },
  };
}
