import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { functionNames } from "../../adapters/storage/sql/schema/function-names.ts";
import { type Answer, createShop } from "../support/shop.ts";
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

  // A page of products is a join. The others are calls of functions.
  const planned = routed.filter(({ isDirect }) => !isDirect);
  expect(planned.map(({ text }) => namesOf(text, schema))).toEqual([
    ["products"],
    [functionNames.lookUp],
    [functionNames.createSession],
    [functionNames.findCheckout],
    [functionNames.lockCheckout],
    [functionNames.writeStep],
    // The first payment that a gateway takes of a store looks whether its alert still stands.
    ["payment_attempts"],
  ]);
});

test("whatever the API answers, each of its statements runs on one shard or on none", async () => {
  const { pool, schema } = await openCitusOn();
  const sent: Sent[] = [];
  const storage = postgresStorage(recording(pool, sent), { schema, distribute: "citus" });
  const limits = { coupons: { limit: 2, window_ms: 60_000 } };
  const shop = await createShop(storage, { limits });
  const { a, owner, product } = shop;
  await owner.products.update(a.id, product.id, { stock: 3 });
  const partition = { store_id: a.id, livemode: false };
  const { token } = await shop.storefront.customers.issueToken({
    ...partition,
    customer_id: "ana",
  });
  const asAna = { headers: { "x-service-customer-token": token } };
  const pub = { key: a.test.pub };
  const sec = { key: a.test.sec };
  const again = { "idempotency-key": "again" };
  const holding = await createShop(storage, {
    checkout: { url: ({ id }) => `https://pay.example.com/${id}`, hold: true },
  });
  const statuses: number[] = [];
  const ask = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status } = await answer;
    statuses.push(status);
    return answer;
  };

  sent.length = 0;
  for (const path of [
    "/store",
    "/products?limit=1&search=product",
    "/products?category=none",
    `/products/${product.id}`,
    `/products/${product.slug}`,
    "/products/unknown",
    "/categories",
    "/payment-methods",
  ])
    await ask(shop.get(path, pub));
  const { headers } = await ask(shop.get("/products", pub));
  await ask(shop.get("/products", { ...pub, headers: { "if-none-match": headers["etag"] ?? "" } }));
  await ask(shop.get("/store", { key: `${a.test.pub.slice(0, -4)}0000` }));

  const made = await ask(shop.session({}, { ...asAna, headers: { ...asAna.headers, ...again } }));
  await ask(shop.session({}, { headers: { ...asAna.headers, ...again } }));
  await ask(shop.session({ coupon_code: "SAVE10" }, { headers: again }));
  await ask(shop.get(`/checkout/sessions/${made.body.data.id}`, pub));
  const order = await shop.buy({ coupon_code: "SAVE10" }, asAna);
  await shop.buy({ items: [{ product_id: product.id, quantity: 1 }] });
  await ask(shop.session({ items: [{ product_id: product.id, quantity: 2 }] }));
  await ask(holding.session({ coupon_code: "SAVE10" }));
  await ask(shop.get(`/products/${product.id}`, pub));
  for (const code of ["SAVE10", "UNKNOWN", "SAVE10"])
    await ask(
      shop.post("/coupons/validate", {
        ...pub,
        body: { code, items: [{ product_id: product.id, quantity: 1 }] },
      }),
    );

  await ask(shop.get(`/orders?limit=1&starting_after=${order?.id}`, sec));
  await ask(shop.get(`/orders/${order?.id}`, sec));
  await ask(shop.get("/customers/me/orders?limit=1", { ...pub, ...asAna }));
  const { body: events } = await ask(shop.get("/events?limit=1", sec));
  await ask(shop.get(`/events?starting_after=${events.data[0].id}&type=order.paid`, sec));
  await owner.stores.update(a.id, { headless_enabled: false });
  await ask(shop.get("/store", pub));

  const kinds = [...new Set(statuses)].sort();
  expect(kinds).toEqual([200, 201, 304, 400, 401, 403, 404, 409, 429]);
  const plans = await plansOf(pool, sent);
  expect(plans.filter(({ tasks }) => tasks > 1).map(({ text }) => text)).toEqual([]);
  expect(plans.filter(({ isPulled }) => isPulled)).toEqual([]);
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
  expect(spread.filter((text) => /\b(update|insert|delete)\b/.test(text))).toEqual([]);
  expect(spread.length, "looks at all shards").toBeLessThanOrEqual(34);
  expect(plans.filter(({ tasks }) => tasks === 1).length).toBeGreaterThan(20);
  expect(plans.filter(({ isPulled }) => isPulled)).toEqual([]);
});

/** The tables and functions that a statement reads. */
const namesOf = (text: string, schema: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`(?:from|select) "${schema}"\\."(\\w+)"`, "g"))].map(
      ([, name]) => name ?? "",
    ),
  ),
];
