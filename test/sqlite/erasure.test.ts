import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { createShop } from "../support/shop.ts";

test("an erasure reaches the events behind the first five hundred of the store", async () => {
  const database = openSqlite(":memory:");
  const storage = sqliteStorage(database);
  await storage.migrate();
  const shop = await createShop(storage);

  // Ids of events are sorted by their time: these come before those of the sale.
  const insert = database.prepare(
    `insert into events (store_id, livemode, id, sequence, type, created_at, body)
     values (?, 1, ?, ?, 'order.paid', 0, '{"data":{}}')`,
  );
  for (let index = 1; index <= 500; index += 1)
    insert.run(shop.a.id, `evt_0000${String(index).padStart(4, "0")}`, index);

  const order = await shop.buy({}, {}, { customer: { id: "ana", email: "ana@example.com" } });
  expect(order.customer.id).toBe("ana");
  const naming = database.prepare("select count(*) as n from events where body like '%ana@ex%'");
  expect(naming.get()).not.toEqual({ n: 0 });

  await shop.owner.eraseCustomer(shop.a.id, "ana");
  expect(naming.get()).toEqual({ n: 0 });
});

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
