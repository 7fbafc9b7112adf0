import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { createShop } from "../support/shop.ts";
import { plansOf, recording, type Sent } from "./plans.ts";
import { openCitusOn } from "./storages.ts";

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

  const plans = await plansOf(pool, sent);
  expect(plans.filter(({ tasks }) => tasks > 1)).toEqual([]);
  const routed = plans.filter(({ tasks }) => tasks === 1);
  expect(routed.length, "statements that one shard answered").toBeGreaterThan(20);
  expect(plans.filter(({ isPulled }) => isPulled)).toEqual([]);

  // A page of products is a join, and a checkout reads session and order of one moment.
  const planned = routed.filter(({ isDirect }) => !isDirect);
  expect(planned.map(({ text }) => tablesOf(text, schema))).toEqual([
    ["products"],
    ["checkout_sessions", "orders"],
  ]);
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

  const plans = await plansOf(pool, sent);
  const spread = plans.filter(({ tasks }) => tasks > 1).map(({ text }) => text);
  expect(spread.filter((text) => /update|insert|delete/.test(text))).toEqual([]);
  expect(spread.length, "looks at all shards").toBeLessThanOrEqual(28);
  expect(plans.filter(({ tasks }) => tasks === 1).length).toBeGreaterThan(20);
  expect(plans.filter(({ isPulled }) => isPulled)).toEqual([]);
});

const tablesOf = (text: string, schema: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`from "${schema}"\\."(\\w+)"`, "g"))].map(
      ([, table]) => table ?? "",
    ),
  ),
];
