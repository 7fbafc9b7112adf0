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

  const tasks = await tasksOf(pool, sent);
  expect(tasks.size).toBeGreaterThan(20);
  expect([...tasks].filter(([, count]) => count > 1)).toEqual([]);
  const routed = [...tasks.values()].filter((count) => count === 1);
  expect(routed.length, "statements that one shard answered").toBeGreaterThan(20);
});

test("background work reads all shards and writes to one in each statement", async () => {
  const { pool, schema } = await openCitusOn();
  const sent: Sent[] = [];
  const storage = postgresStorage(recording(pool, sent), { schema, distribute: "citus" });
  const shops = await Promise.all(Array.from({ length: 4 }, () => createShop(storage)));
  for (const { owner, a } of shops)
    for (let n = 0; n < 2; n += 1)
      await owner.endpoints.create({
        store_id: a.id,
        livemode: false,
        url: `https://hooks.example.com/${n}`,
      });
  for (const shop of shops) await shop.buy();
  const [shop] = shops;
  if (!shop) throw new Error("There is a shop.");

  sent.length = 0;
  shop.receiver.answer = ({ url }) => (url.endsWith("1") ? { ok: false, status: 500 } : {});
  expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 12, rescheduled: 12 });
  await shop.session();
  shop.advance(401 * 86_400_000);
  await shop.storefront.drainWebhooks();
  await shop.storefront.runMaintenance();
  const stop = new AbortController();
  const consumed = shop.storefront.consumeEvents({ consumer: "c", signal: stop.signal }, () =>
    stop.abort(),
  );
  await consumed;
  await storage.orders.findAttempts({
    gateway: "sandbox",
    livemode: false,
    account: null,
    references: ["ref"],
    payment_id: null,
  });

  const tasks = await tasksOf(pool, sent);
  const spread = [...tasks].filter(([, count]) => count > 1).map(([text]) => text.trim());
  expect(spread.filter((text) => /update|insert|delete/.test(text))).toEqual([]);
  expect(spread.length, "looks at all shards").toBeLessThanOrEqual(28);
  expect([...tasks].filter(([, count]) => count === 1).length).toBeGreaterThan(20);
});

/** How many tasks Citus makes of each statement; 0 when the coordinator answers it. */
async function tasksOf(pool: pg.Pool, sent: readonly Sent[]): Promise<ReadonlyMap<string, number>> {
  const tasks = new Map<string, number>();
  for (const { text, values } of new Map(sent.map((query) => [query.text, query])).values()) {
    if (!/^\s*(select|insert|update|delete|with)/i.test(text)) continue;

    const { rows } = await pool.query({ text: `explain ${text}`, values: [...(values ?? [])] });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map((match) => Number(match[1]));
    tasks.set(
      text,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }
  return tasks;
}

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
