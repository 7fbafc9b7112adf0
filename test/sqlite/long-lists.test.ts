import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { createShop } from "../support/shop.ts";

/** SQLite takes 32,766 parameters in a statement. */
const more = 33_000;

test("a customer with more orders than a statement takes parameters is erased", {
  timeout: 120_000,
}, async () => {
  const database = openSqlite(":memory:");
  database.pragma("busy_timeout = 0");
  const storage = sqliteStorage(database);
  await storage.migrate();
  const shop = await createShop(storage);
  const { id } = await shop.buy();

  const columns = database.prepare("select name from pragma_table_info('orders')").pluck().all();
  const changed: Readonly<Record<string, string>> = {
    id: "'ord_' || i.value",
    number: "number + i.value",
    session_id: "'cs_' || i.value",
  };
  const values = columns.map((name) => changed[String(name)] ?? `o.${name}`);
  database.exec(`with recursive i(value) as
    (select 1 union all select value + 1 from i where value < ${more})
    insert into orders select ${values.join(", ")} from i, orders as o where o.id = '${id}'`);

  const customer_id = String(
    database.prepare("select customer_id from orders where id = ?").pluck().get(id),
  );
  await shop.owner.eraseCustomer(shop.a.id, customer_id);
  const left = database.prepare("select count(*) from orders where customer_id = ?").pluck();
  expect(left.get(customer_id)).toBe(0);
});
