import { expect, test } from "vitest";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { listPlaces, openCategory } from "../support/product-places.ts";

const count = 60;
const { open } = await databasesBySql("product_places");

test.each(["sqlite", "postgres"] as const)(
  "a category with products of an older version is sorted right, and maintenance fills it beside puts, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const put = await openCategory(storage);
    const sorted = (sort: "price" | "newest") => listPlaces(storage, sort);
    const numbers = (price: (index: number) => number) =>
      Array.from({ length: count }, (_, index) => [`prod_${100 + index}`, price(index)] as const);
    const byPrice = (price: (index: number) => number) =>
      numbers(price).sort(([one, left], [other, right]) => left - right || (one < other ? -1 : 1));
    for (let index = 0; index < count; index += 1) await put(index, 1 + (index % 7));

    // What an older version leaves of a product that it writes.
    await run(
      "update product_categories set price = null, created_at = null where product_id <> 'prod_100'",
    );
    const toBackfill = async () => (await storage.gauges.read(Date.now())).rows_to_backfill;
    expect(await toBackfill()).toBe(count - 1);
    expect(await sorted("price")).toEqual(byPrice((index) => 1 + (index % 7)));
    expect((await sorted("newest"))[0]).toEqual([`prod_${99 + count}`, count - 1]);

    const indexAll = async (): Promise<number> => {
      let done = 0;
      for (;;) {
        const chunk = await storage.backOffice.indexProducts(4);
        if (chunk === 0) return done;
        done += chunk;
      }
    };
    const changed = Array.from({ length: 20 }, (_, index) => index * 3);
    const [first, second] = await Promise.all([
      indexAll(),
      indexAll(),
      Promise.all(changed.map((index) => put(index, 50 + index))),
    ]);
    const done = first + second + (await indexAll());
    // A product that is put brings its own places: it is filled before that, or never.
    expect(done).toBeGreaterThanOrEqual(count - 1 - changed.length);
    expect(done).toBeLessThanOrEqual(count - 1);

    const price = (index: number) => (index % 3 === 0 ? 50 + index : 1 + (index % 7));
    expect(await sorted("price")).toEqual(byPrice(price));
    expect(await storage.backOffice.indexProducts(4)).toBe(0);
    expect(await toBackfill()).toBe(0);
    await storage.close();
  },
);
