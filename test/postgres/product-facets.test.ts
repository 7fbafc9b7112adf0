import { expect, test } from "vitest";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { openCategory } from "../support/product-places.ts";

const { open } = await databasesBySql("product_facets");

test.each(["sqlite", "postgres"] as const)(
  "facets of products that an older version wrote are right, before maintenance and after, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const put = await openCategory(storage);
    for (let index = 0; index < 30; index += 1) await put(index, 10 + index);
    const toBackfill = async () => (await storage.gauges.read(Date.now())).rows_to_backfill;
    const count = async (search?: string) => {
      const query = { store_id: "str_A", livemode: false, facets: true, limit: 1 } as const;
      const found = await storage.catalog.listProducts(search ? { ...query, search } : query);
      return found.outcome === "listed" ? found.facets : undefined;
    };
    const of = (counted: number, min: number, max: number, sold = 0) => ({
      category: [{ category_id: "cat_1", count: counted }],
      price: { min, max },
      available: { true: counted - sold, false: sold },
    });
    const check = async (sold: number, max: number) => {
      expect(await count()).toEqual(of(30, 10, max, sold));
      expect(await count("slug-1")).toEqual(of(11, 11, max === 39 ? 29 : max, sold));
    };
    await check(0, 39);
    expect(await toBackfill()).toBe(0);

    // A sale of an older version writes one document, and makes no work.
    const sold = (document: string, from: boolean, to: boolean) =>
      run(`update products set ${document} =
        replace(${document}, '"available":${from}', '"available":${to}') where id = 'prod_112'`);
    await sold("document_test", true, false);
    await check(1, 39);
    expect(await toBackfill()).toBe(0);
    await sold("document_live", true, false);
    await sold("document_test", false, true);
    await check(0, 39);

    // What an older version leaves of a product that it changes, and of those that it made.
    await run(`update products set record =
      replace(replace(record, '"price":29', '"price":9000'), '"updated_at":', '"updated_at":7')
      where id = 'prod_119'`);
    await check(0, 9000);
    expect(await toBackfill()).toBe(1);
    await run(`update products set price = null, category_ids = null, available_live = null,
      available_test = null, facets_at = null where id <> 'prod_119'`);
    await sold("document_test", true, false);
    await check(1, 9000);
    expect(await toBackfill()).toBe(30);

    const indexAll = async (): Promise<number> => {
      let done = 0;
      for (;;) {
        const chunk = await storage.backOffice.indexProducts(4);
        if (chunk === 0) return done;
        done += chunk;
      }
    };
    const [first, second] = await Promise.all([indexAll(), indexAll(), put(3, 13)]);
    // The product that is put brings its own columns: it is filled before that, or never.
    expect([29, 30]).toContain(first + second + (await indexAll()));
    await check(1, 9000);
    expect(await toBackfill()).toBe(0);
    await storage.close();
  },
);
