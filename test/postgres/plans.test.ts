import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import type { SqliteDatabase } from "../../adapters/storage/sql/engine/sqlite/sqlite-database.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import {
  nodesOf,
  recordingDatabase,
  recordingPool,
  type Statement,
} from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";
import {
  exercise,
  farOffset,
  fillOf,
  lookUp,
  partition,
  prepareStores,
  withoutIndexes,
} from "./large-store.ts";

const databaseUrl = await postgresUrl();

// `.ci/run` gives a million.
const deliveries = Number(process.env["PLAN_DELIVERIES"] ?? 100_000);
// PostgreSQL rightly reads a table of fewer products as a whole. SQLite plans by the ratios alone.
const size = { products: 100_000, orders: 50_000, deliveries };
const sizeOnSqlite = { products: 20_000, orders: 20_000, deliveries: 20_000 };
const large = [
  "products",
  "product_categories",
  "orders",
  "checkout_sessions",
  "events",
  "deliveries",
  "idempotency_keys",
  "stock",
  "coupon_uses",
  "payment_attempts",
  "payments",
  "refunds",
  "delivery_attempts",
  "search_words",
  "search_deletions",
];
describe("no sequential scan on the hot paths", () => {
  const schema = `hot_${process.pid}`;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    options: `-c search_path=${schema},public`,
  });
  const statements: Statement[] = [];
  beforeAll(() => pool.query("select 1"));
  afterAll(async () => {
    await pool.query(`drop schema if exists "${schema}" cascade`);
    await pool.end();
  });

  test(`on PostgreSQL at ${JSON.stringify(size)}`, { timeout: 180_000 }, async () => {
    const storage = postgresStorage(recordingPool(pool, statements), { schema });
    await prepareStores(storage);
    const tables = await keepStatistics(pool, schema);
    await withoutIndexes(pool, schema, async () => {
      for (const text of fillOf((count) => `generate_series(1, ${count}) as n`, size))
        await pool.query(text);
    });
    await pool.query(`analyze ${tables}`);
    statements.length = 0;
    await exercise(storage);
    await lookUp(storage);
    const seen = new Map(
      statements
        .filter(({ text }) => /^\s*(select|insert|update|delete|with)/i.test(text))
        .map((one) => [one.text + JSON.stringify(one.values), one]),
    );
    expect(seen.size).toBeGreaterThan(25);
    const used = new Set<string>();
    for (const { text, values } of seen.values()) {
      const { rows } = await pool.query(`explain (format json) ${text}`, [...values]);
      const nodes = nodesOf(rows[0]["QUERY PLAN"][0].Plan);
      for (const node of nodes) if (node["Index Name"]) used.add(String(node["Index Name"]));
      // The rows that such a page passes over are read in an index alone.
      if (values.includes(farOffset))
        expect(nodes.map((node) => node["Node Type"])).toContain("Index Only Scan");
      // For a word of every product, the index gives any 501 rows; then the list is walked in order.
      if (values.includes("%common%")) continue;
      // A scan of names that begin with such a word ends at 501 of them too.
      const isOfAll = values.includes("common");
      const scans = nodes.filter(
        (node) =>
          !isOfAll &&
          node["Node Type"] === "Seq Scan" &&
          large.includes(String(node["Relation Name"])),
      );
      expect(
        scans.map((node) => node["Relation Name"]),
        `${text} ${JSON.stringify(values)}`,
      ).toEqual([]);
      // A page is read in the list's order; the whole list is never sorted.
      if (/limit/.test(text))
        expect(
          nodes.filter(
            (node) => /Sort/.test(String(node["Node Type"])) && Number(node["Plan Rows"]) > 2_000,
          ),
          text,
        ).toEqual([]);
    }
    expect(used).toContain("products_by_text");
    expect(used).toContain("products_to_count");
    // A list of groups is read from indexes that hold nothing but what it lists.
    for (const name of ["in_order", "by_price", "by_age"])
      expect(used).toContain(`products_first_${name}`);
    for (const name of ["by_position", "by_price"])
      expect(used).toContain(`product_categories_first_${name}`);
    const rare = await storage.catalog.listProducts({
      ...partition,
      search: "rareword",
      limit: 20,
    });
    expect(rare.outcome === "listed" && rare.rows.length).toBe(21);
  });

  test(`on SQLite at ${JSON.stringify(sizeOnSqlite)}`, async () => {
    const database = openSqlite(":memory:");
    const texts = new Set<string>();
    const recorded = recordingDatabase(database, texts);
    const storage = sqliteStorage(recorded);
    await prepareStores(storage);
    const rows = (count: number): string =>
      `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s)`;
    const filled = fillOf(rows, sizeOnSqlite);
    for (const text of filled) database.exec(text);
    for (const analyzed of [false, true]) {
      if (analyzed) database.exec("analyze");
      texts.clear();
      await exercise(analyzed ? sqliteStorage(recorded) : storage);
      const steps = plansOf(database, texts).filter(([, detail]) => scans.test(detail));
      expect(steps.filter(([text, detail]) => !isOfFirst(text, detail))).toEqual([]);
      expect([...texts].some((text) => text.includes("product_search"))).toBe(true);

      texts.clear();
      await lookUp(analyzed ? sqliteStorage(recorded) : storage);
      expect(
        plansOf(database, texts).filter(([, detail]) => wholeStore.test(detail)),
        `analyzed: ${analyzed}`,
      ).toEqual([]);
    }
    database.close();
  });
});

const rowsOfMany = `(${large.join("|")}|p|o|s|d|pc|t|k)`;
const scans = new RegExp(`^SCAN ${rowsOfMany}\\b(?!.*USING (COVERING )?INDEX)`);
/** Tells the scan of a subquery with a limit, which has the alias of its table, from others. */
const isOfFirst = (text: string, detail: string): boolean =>
  detail === "SCAN p" && text.includes('limit 10000) as "p"');
/** Reads a table from its beginning, or all that a store has in it. */
const wholeStore = new RegExp(
  `^(SCAN ${rowsOfMany}$|SEARCH ${rowsOfMany} .*\\(store_id=\\? AND livemode=\\?( AND \\w+[<>]\\?)*\\))`,
);

/** Each step of each statement's plan on SQLite, with the statement. */
const plansOf = (
  database: SqliteDatabase,
  texts: ReadonlySet<string>,
): readonly (readonly [text: string, detail: string])[] =>
  [...texts]
    .filter((text) => /^\s*(select|insert|update|delete|with)/i.test(text))
    .flatMap((text) => {
      const holes = Array.from({ length: text.split("?").length - 1 }, () => null);
      const plan = database.prepare(`explain query plan ${text}`).all(...holes);
      return (plan as { readonly detail: string }[]).map(({ detail }) => [text, detail] as const);
    });
