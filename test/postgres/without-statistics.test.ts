import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { recordingPool, type Statement } from "../support/recorded-statements.ts";
import { keepStatistics } from "../support/statistics.ts";
import { exercise, fillOf, partition, prepareStores, type StoreSize } from "./large-store.ts";

// A store that has just been imported: PostgreSQL knows nothing yet of what its tables hold.

const size = { products: 2_000, orders: 2_000, deliveries: 2_000 };
/** A few pages of the index and of the table for each row of the largest list. */
const mostBlocks = 5 * size.products;

const writes = /\b(insert into|update|delete from)\b/i;

test.each([
  ["has no statistics", false],
  ["has the statistics of the day before it was filled", true],
])("no statement reads a list again and again while a database %s", async (_name, analyzed) => {
  const { schema, pool } = await databasesBySql(analyzed ? "stale" : "fresh");
  const statements: Statement[] = [];
  const storage = postgresStorage(recordingPool(pool, statements), { schema });
  await prepareStores(storage);
  const fill = async (rows: StoreSize) => {
    for (const text of fillOf((count) => `generate_series(1, ${count}) as n`, rows))
      await pool.query(`${text} on conflict do nothing`);
  };
  const tables = await keepStatistics(pool, schema);
  if (analyzed) {
    await fill({ products: 2, orders: 1, deliveries: 1 });
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
  for (const more of [{}, { search: "common" }, { search: "co" }, { category_id: "cat_1" }])
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
    const { "Shared Hit Blocks": hit, "Shared Read Blocks": read } = rows[0]["QUERY PLAN"][0].Plan;
    expect(hit + read, `${text} ${JSON.stringify(values)}`).toBeLessThan(mostBlocks);
  }
});
