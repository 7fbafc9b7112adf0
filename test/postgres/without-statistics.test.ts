import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { nodesOf, recordingPool, type Statement } from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";
import { exercise, fillOf, partition, prepareStores, type StoreSize } from "./large-store.ts";

// A store that has just been imported: PostgreSQL knows nothing yet of what its tables hold.

const size = { products: 2_000, orders: 2_000, deliveries: 2_000 };
/** A few pages of the index and of the table for each row of the largest list. */
const mostBlocks = 5 * size.products;

/** The rows of a page, each compared with the largest list. */
const mostCompared = 21 * size.products;

const writes = /\b(insert into|update|delete from)\b/i;

test.each([
  ["has no statistics", null],
  ["has the statistics of a store without products", 0],
  ["has the statistics of its first product", 1],
  ["has the statistics of the day before it was filled", 2],
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
      statements
        .filter(({ text }) => /^\s*(select|with)/i.test(text) && !writes.test(text))
        .map((statement) => [JSON.stringify(statement), statement]),
    );
    expect(reads.size).toBeGreaterThan(30);
    for (const { text, values } of reads.values()) {
      const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, [
        ...values,
      ]);
      const plan = rows[0]["QUERY PLAN"][0].Plan;
      const sent = `${text} ${JSON.stringify(values)}`;
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], sent).toBeLessThan(mostBlocks);
      // Rows that a join keeps in memory touch no block. Those of a page may each be compared.
      for (const node of nodesOf(plan))
        expect(Number(node["Rows Removed by Join Filter"] ?? 0), sent).toBeLessThan(mostCompared);
    }
  },
);
