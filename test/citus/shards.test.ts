import type pg from "pg";
import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { createShop } from "../support/shop.ts";
import { openCitusOn } from "./storages.ts";

interface Sent {
  readonly text: string;
  readonly values?: readonly unknown[];
}

test("each statement of a purchase runs on one shard, or on the coordinator alone", async () => {
  const { pool, schema } = await openCitusOn();
  const sent: Sent[] = [];
  const storage = postgresStorage(recording(pool, sent), { schema, distribute: "citus" });
  const shop = await createShop(storage);
  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 2 });
  const partition = { store_id: shop.a.id, livemode: false };
  await shop.owner.endpoints.create({ ...partition, url: "https://hooks.example.com/in" });

  sent.length = 0;
  expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(200);
  expect(await shop.buy({ coupon_code: "SAVE10" })).toMatchObject({ status: "paid" });
  expect(await shop.buy()).toMatchObject({ status: "paid" });

  const statements = new Map(sent.map((query) => [query.text, query]));
  expect(statements.size).toBeGreaterThan(20);
  const spread: string[] = [];
  let routed = 0;
  for (const { text, values } of statements.values()) {
    if (!/^\s*(select|insert|update|delete|with)/i.test(text)) continue;

    const { rows } = await pool.query({ text: `explain ${text}`, values: [...(values ?? [])] });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map((match) => Number(match[1]));
    if (tasks.length === 1) routed += 1;
    if (tasks.some((count) => count > 1) || tasks.length > 1) spread.push(text);
  }
  expect(spread).toEqual([]);
  expect(routed, "statements that one shard answered").toBeGreaterThan(20);
});

/** The pool, with every statement of its clients noted. */
function recording(pool: pg.Pool, sent: Sent[]): pg.Pool {
  const record = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "query") return value.bind(target);
        return (query: Sent) => {
          sent.push(query);
          return value.call(target, query);
        };
      },
    });

  return new Proxy(pool, {
    get(target, name) {
      if (name !== "connect") return Reflect.get(target, name);
      return (callback: (error?: Error, client?: pg.PoolClient) => void) =>
        target.connect((error, client) => callback(error, client && record(client)));
    },
  });
}
