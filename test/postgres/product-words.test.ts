import { expect, test } from "vitest";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { openCategory } from "../support/product-places.ts";

const { open, pool, schema } = await databasesBySql("product_words");

test.each(["sqlite", "postgres"] as const)(
  "maintenance counts the words of products of an older version, beside puts, each once, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const put = await openCategory(storage);
    for (let index = 0; index < 40; index += 1) await put(index, 1);
    // What the version before leaves.
    await run("delete from search_words");
    await run("delete from search_deletions");
    await run("update products set words = null");

    const find = async () => {
      const found = await storage.catalog.listProducts({
        store_id: "str_A",
        livemode: false,
        search: "prdo",
        correct: true,
        limit: 100,
      });
      return found.outcome === "listed" ? [found.rows.length, found.corrected_to ?? null] : [];
    };
    expect(await find()).toEqual([0, null]);

    const indexAll = async (): Promise<void> => {
      while ((await storage.backOffice.indexProducts(4)) > 0);
    };
    await Promise.all([
      indexAll(),
      indexAll(),
      Promise.all(Array.from({ length: 10 }, (_, index) => put(index * 3, 5))),
    ]);
    await indexAll();
    expect(await find()).toEqual([40, "prod"]);

    if (name === "postgres") {
      const { rows } = await pool.query(`select word, products from ${schema}.search_words`);
      expect(rows).toEqual([{ word: "prod", products: "40" }]);
    }
    expect(await storage.backOffice.indexProducts(4)).toBe(0);
    await storage.close();
  },
);
