import { expect, test } from "vitest";
import { listPlaces, openCategory } from "../support/product-places.ts";
import { createShop } from "../support/shop.ts";
import { openCitusOn } from "./storages.ts";

test("maintenance indexes the orders of an older version, each once", async () => {
  const { storage, pool, schema } = await openCitusOn();
  const shop = await createShop(storage);
  for (let n = 0; n < 3; n += 1) await shop.buy();
  const counted = async () => {
    const terms = await pool.query(`select term, number from ${schema}.order_terms order by 1, 2`);
    const totals = await pool.query(`select * from ${schema}.customer_totals order by 1, 2, 3, 4`);
    return { terms: terms.rows, totals: totals.rows };
  };
  const before = await counted();
  expect(before.terms.length).toBeGreaterThan(2);

  await pool.query(`update ${schema}.orders set created_at = null`);
  await pool.query(`delete from ${schema}.order_terms`);
  await pool.query(`delete from ${schema}.customer_totals`);
  expect(await storage.backOffice.indexOrders(2)).toBe(2);
  expect(await storage.backOffice.indexOrders(2)).toBe(1);
  expect(await storage.backOffice.indexOrders(2)).toBe(0);
  expect(await counted()).toEqual(before);
});

test("maintenance fills the places of products of an older version, each once", async () => {
  const { storage, pool, schema } = await openCitusOn();
  const put = await openCategory(storage);
  for (let index = 0; index < 5; index += 1) await put(index, 10 - index);
  const sorted = [4, 3, 2, 1, 0].map((index) => [`prod_${100 + index}`, 10 - index]);

  await pool.query(
    `update ${schema}.product_categories set price = null, created_at = null where product_id <> 'prod_100'`,
  );
  expect(await listPlaces(storage, "price")).toEqual(sorted);
  expect(await storage.backOffice.indexProducts(3)).toBe(3);
  expect(await listPlaces(storage, "price")).toEqual(sorted);
  expect(await storage.backOffice.indexProducts(3)).toBe(1);
  expect(await storage.backOffice.indexProducts(3)).toBe(0);
  expect(await listPlaces(storage, "price")).toEqual(sorted);
});

test("maintenance fills what facets count of products of an older version, each once", async () => {
  const { storage, pool, schema } = await openCitusOn();
  const put = await openCategory(storage);
  for (let index = 0; index < 5; index += 1) await put(index, 10 - index);
  const count = async () => {
    const query = { store_id: "str_A", livemode: false, facets: true, limit: 1 } as const;
    const found = await storage.catalog.listProducts(query);
    return found.outcome === "listed" ? found.facets : undefined;
  };
  const counted = {
    category: [{ category_id: "cat_1", count: 5 }],
    price: { min: 6, max: 10 },
    available: { true: 5, false: 0 },
  };

  await pool.query(
    `update ${schema}.products set price = null, facets_at = null where id <> 'prod_100'`,
  );
  expect(await count()).toEqual(counted);
  expect(await storage.backOffice.indexProducts(3)).toBe(3);
  expect(await storage.backOffice.indexProducts(3)).toBe(1);
  expect(await storage.backOffice.indexProducts(3)).toBe(0);
  expect(await count()).toEqual(counted);
});
