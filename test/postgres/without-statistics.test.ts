import type pg from "pg";
import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { nodesOf, recordingPool, type Statement } from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";
import {
  exercise,
  fillOf,
  partition,
  prepareStores,
  type StoreSize,
  writeTwo,
} from "./large-store.ts";

// A store that has just been imported: PostgreSQL knows nothing yet of what its tables hold.

const size = { products: 10_000, orders: 2_000, deliveries: 2_000 };
/** A few pages of the index and of the table for each row of the largest list. */
const mostBlocks = 5 * size.products;

/** The pages of an index, and of its table, that find a row by its key. A list has a hundred. */
const mostBlocksOfKey = 6;

/** The pages of a read that finds the two products of a write. Their store has sixty of an index. */
const mostBlocksOfWrite = 30;

/** Copies what the products of a store are read from into a few thousand others. */
const smallStores = ["products", "product_categories", "categories"]
  .map(
    (table) => `insert into ${table} select copy.* from ${table} as own
      cross join generate_series(1, 3000) as n
      cross join jsonb_populate_record(own, jsonb_build_object('store_id', 'str_' || n)) as copy
      where own.store_id = 'str_A'`,
  )
  .join(";");

/** The rows of both stores: no join compares each row of a page with them. */
const mostCompared = size.products;

const writes = /\b(insert into|update|delete from)\b/i;

test.each([
  ["has no statistics", null],
  ["has the statistics of a store without products", 0],
  ["has the statistics of its first product", 1],
  ["has the statistics of the day before it was filled", 2],
  ["has the statistics of many small stores", 4],
] as const)(
  "no statement reads a list again and again while a database %s",
  async (_name, before) => {
    const { schema, pool } = await databasesBySql(`grown_from_${before}`);
    const statements: Statement[] = [];
    const storage = postgresStorage(recordingPool(pool, statements), { schema });
    await prepareStores(storage);
    const fill = async (rows: StoreSize) => {
      for (const text of fillOf((count) => `generate_series(1, ${count}) as n`, rows))
        await pool.query(`${text} on conflict do nothing`);
    };
    const tables = await keepStatistics(pool, schema);
    if (before !== null) {
      await fill({ products: before, orders: 1, deliveries: 1 });
      if (before === 4) await pool.query(smallStores);
      await pool.query(`delete from counters; analyze ${tables}`);
    }
    await fill(size);
    await pool.query(
      `insert into product_categories (store_id, category_id, product_id, position)
     select store_id, 'cat_1', id, position from products where store_id = 'str_A'
     on conflict do nothing`,
    );

    statements.length = 0;
    await exercise(storage);
    for (const search of ["q", "co"])
      for (const more of [{}, { after: { position: 500, id: "prod_5" } }])
        for (const category of [{ category_id: "cat_1" }, { category_slug: "c" }])
          await storage.catalog.listProducts({
            ...partition,
            ...category,
            ...more,
            search,
            limit: 20,
          });
    for (const more of [
      {},
      { search: "common" },
      { search: "co" },
      { category_id: "cat_1" },
      { category_id: "cat_1", group: "first" as const },
      { category_id: "cat_1", search: "co" },
    ])
      await storage.catalog.listProducts({ ...partition, ...more, facets: true, limit: 20 });

    const reads = new Map(
      readsOf(statements).map((statement) => [JSON.stringify(statement), statement]),
    );
    expect(reads.size).toBeGreaterThan(30);
    for (const statement of reads.values()) {
      const { plan, sent } = await explain(pool, statement);
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], sent).toBeLessThan(mostBlocks);
      // Rows that a join keeps in memory touch no block. Those of a page may each be compared.
      for (const node of nodesOf(plan))
        expect(Number(node["Rows Removed by Join Filter"] ?? 0), sent).toBeLessThan(mostCompared);
      for (const node of nodesOf(plan)) {
        const loops = Number(node["Actual Loops"]);
        if (!/^Index/.test(String(node["Node Type"])) || loops < 100) continue;
        const read = Number(node["Shared Hit Blocks"]) + Number(node["Shared Read Blocks"]);
        expect(read / loops, `${node["Index Name"]}: ${sent}`).toBeLessThan(mostBlocksOfKey);
      }
    }

    statements.length = 0;
    await writeTwo(storage);
    expect(readsOf(statements).length).toBeGreaterThan(3);
    for (const statement of readsOf(statements)) {
      const { plan, sent } = await explain(pool, statement);
      const read = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
      expect(read, sent).toBeLessThan(mostBlocksOfWrite);
    }
  },
);

const readsOf = (statements: readonly Statement[]): readonly Statement[] =>
  statements.filter(({ text }) => /^\s*(select|with)/i.test(text) && !writes.test(text));

async function explain(pool: pg.Pool, { text, values }: Statement) {
  const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
  return { plan: rows[0]["QUERY PLAN"][0].Plan, sent: `${text} ${JSON.stringify(values)}` };
}
