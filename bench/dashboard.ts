import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Storage } from "vitrine";
import { createDashboard } from "vitrine/dashboard";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { screenPaths } from "../test/support/dashboard-records.ts";
import { copySales, countHours } from "./dashboard/sales.ts";
import { addRecords, createShop, makeRequest, where } from "./dashboard/shop.ts";
import { type Fill, postgresFill, sqliteFill } from "./fill.ts";
import { msPerCall } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row } from "./row.ts";

const yearMs = 365 * 86_400_000;
const most = 200;

/** Gives the number of sales, which is a million with `--large`. */
const salesOf = ({ large }: Options): number => (large ? 1_000_000 : 20_000);

/**
 * Measures the time from the request to the whole page of each screen of the dashboard,
 * above a year of sales, each with a delivery. Another store has a tenth as many.
 */
export async function benchDashboard(options: Options): Promise<Row[]> {
  return [await onPostgres(options), await onSqlite(options)];
}

async function onPostgres(options: Options): Promise<Row> {
  const url = await newDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // The database may be dropped before the last connection has closed.
  pool.on("error", () => {});
  const storage = postgresStorage(pool, { preparedStatements: true });
  try {
    return await measure(storage, await postgresFill(url), options, {
      name: "PostgreSQL",
      atMost: 20,
    });
  } finally {
    await pool.end();
    await dropDatabase(url);
  }
}

async function onSqlite(options: Options): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const file = join(folder, "dashboard.sqlite");
  const storage = sqliteStorage(file);
  try {
    return await measure(storage, sqliteFill(file), options, { name: "SQLite", atMost: 40 });
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Database {
  readonly name: string;
  /** A screen may take this many milliseconds. */
  readonly atMost: number;
}

async function measure(
  storage: Storage,
  fill: Fill,
  options: Options,
  { name, atMost }: Database,
): Promise<Row> {
  const { storefront, clock, sale, ids, key } = await createShop(storage);
  const count = salesOf(options);
  const now = Date.now();
  const span = { from: now - yearMs, to: now };
  await fill.bulk(async () => {
    await copySales(fill, sale, { ...span, count, store_id: where.store_id });
    await copySales(fill, sale, { ...span, count: count / 10, store_id: "str_other" });
    await countHours(fill, where.store_id, { ...span, count });
    await addRecords(fill, ids);
  });
  await fill.analyze();
  await fill.close();
  clock.now = now;
  const requests = await makeRequest({ storefront }, key);

  const { serve } = createDashboard(storefront, {
    path: "/dashboard",
    authorize: () => ({ actor: "ana", stores: "all", access: "all" }),
  });
  const open = async (target: string): Promise<void> => {
    const header = (wanted: string) => (wanted === "accept-language" ? "en" : undefined);
    const body = async () => new Uint8Array();
    const reply = await serve({ method: "GET", target, header, body });
    if (reply?.status !== 200) throw new Error(`${target} is ${reply?.status}.`);
  };
  const values: Record<string, number> = {};
  for (const [screen, target] of targetsOf({ ...ids, requests }, now)) {
    values[screen] = await msPerCall(options.seconds, most, () => open(target));
    process.stderr.write(".");
  }
  return {
    work: `Screens of the dashboard at ${count} orders and deliveries, ${name}`,
    unit: "ms",
    values,
    base: "stores",
    targets: Object.keys(values).map((side) => ({ side, atMost })),
    note: "The median time of the server for one page, one request after another.",
  };
}

/** Lists every screen, and some with filters, with their addresses. */
function targetsOf(ids: Parameters<typeof screenPaths>[0], now: number): Map<string, string> {
  const base = `/dashboard/${where.store_id}/test`;
  // The host of the bench signs people in itself: there are no screens of them.
  const screens = screenPaths({ ...ids, people: "none" }).filter((path) => !/^people/.test(path));
  const day = new Date(now - 30 * 86_400_000).toISOString().slice(0, 10);
  const filtered = [
    "?days=90",
    "orders?status=paid",
    `orders?from=${day}&to=${day}`,
    "orders?search=ana-0000",
    "customers?search=ana-0000",
    `payments?from=${day}&to=${day}`,
    "deliveries?state=pending",
    "deliveries?state=delivered",
    "events?type=order.paid",
    "checkout-sessions?status=expired",
  ];
  return new Map([
    ["stores", "/dashboard"],
    ["stores?search=shop", "/dashboard?search=shop"],
    ...[...screens, ...filtered].map((path): [string, string] => {
      const name = path.replace(/[a-z]+_[0-9A-Z]{20,}/g, "…").replace(day, "day");
      const address = path.startsWith("?") || path === "" ? base + path : `${base}/${path}`;
      return [name === "" ? "overview" : name, address];
    }),
  ]);
}
