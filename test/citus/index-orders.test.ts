import { expect, test } from "vitest";
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
