import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { createShop } from "../support/shop.ts";

test("an erasure leaves no use of a coupon under the customer's name", async () => {
  const database = openSqlite(":memory:");
  const storage = sqliteStorage(database);
  await storage.migrate();
  const shop = await createShop(storage);
  const body = { coupon_code: "SAVE10" };
  await shop.buy(body, {}, { customer: { id: "ana", email: "ana@example.com" } });
  await shop.buy(body, {}, { customer: { id: "bia", email: "bia@example.com" } });
  const keys = database.prepare("select customer_key as k from coupon_uses order by 1");
  expect(keys.all()).toEqual([{ k: "id:ana" }, { k: "id:bia" }]);

  await shop.owner.eraseCustomer(shop.a.id, "ana");
  expect(keys.all()).toEqual([{ k: "id:bia" }]);
});
