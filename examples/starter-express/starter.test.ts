import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestShop } from "vitrine/testing";
import { openDashboard } from "./dashboard.ts";
import { release } from "./release.ts";
import { readSettings } from "./settings.ts";
import { setUp } from "./setup.ts";
import { openShop } from "./shop.ts";

const environment = {
  PUBLIC_URL: "http://localhost:3000",
  SEAL_KEY: Buffer.alloc(32, 1).toString("base64"),
  SQLITE_FILE: ":memory:",
};

test("a wrong setting is named, with how to mend it", () => {
  const wrong = { ...environment, SEAL_KEY: "short" };
  assert.throws(() => readSettings(wrong), /SEAL_KEY must be 32 bytes.*openssl rand/);
  assert.throws(() => readSettings({ ...environment, PUBLIC_URL: "shop" }), /PUBLIC_URL/);
  assert.throws(() => readSettings({ ...environment, DATABASE_URL: "mysql://x" }), /DATABASE_URL/);
});

test("nobody enters the dashboard before authorize is written", async () => {
  const settings = readSettings(environment);
  const shop = await openShop(settings);
  const dashboard = openDashboard(shop.storefront, settings);
  const reply = await dashboard.handler(new Request("http://localhost:3000/dashboard"));
  assert.equal(reply.status, 401);
  await shop.close();
});

test("a product of the first store is sold through the API", async () => {
  const { storefront, close } = await openShop(readSettings(environment));
  const { SHOP_KEY, PRODUCT } = await setUp(storefront, environment.PUBLIC_URL);
  const answer = await storefront.handler(
    new Request("http://localhost:3000/v1/checkout/sessions", {
      method: "POST",
      headers: {
        authorization: `Bearer ${SHOP_KEY}`,
        "content-type": "application/json",
        "idempotency-key": "1",
      },
      body: JSON.stringify({
        items: [{ product_id: PRODUCT, quantity: 2 }],
        success_url: "http://localhost:3000/thanks",
        cancel_url: "http://localhost:3000/thanks",
      }),
    }),
  );
  const { data } = (await answer.json()) as { data: { amount_total: number } };
  assert.deepEqual([answer.status, data.amount_total], [201, 6900]);
  await close();
});

test("a paid order is released", async () => {
  const shop = await createTestShop();
  const product = await shop.product({ price: 3450 });
  await shop.pay(await shop.checkout([{ product_id: product.id, quantity: 1 }]));
  await shop.advanceClock(1_000);
  assert.ok(shop.webhooks.some(({ type }) => type === "order.paid"));
  for (const event of shop.webhooks) await release(event);
});
