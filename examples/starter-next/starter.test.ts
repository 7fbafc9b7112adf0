import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestShop } from "vitrine/testing";
import { webhookReceiver } from "vitrine/webhooks/next";
import { GET as cron } from "./app/cron/route.ts";
import { openDashboard } from "./dashboard.ts";
import { release } from "./release.ts";
import { readSettings } from "./settings.ts";
import { setUp } from "./setup.ts";
import { openShop } from "./shop.ts";

const origin = "http://localhost:3000";
const environment = {
  PUBLIC_URL: origin,
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
  const { storefront, close } = await openShop(readSettings(environment));
  const reply = await openDashboard(storefront).handler(new Request(`${origin}/dashboard`));
  assert.equal(reply.status, 401);
  await close();
});

test("only the scheduler's secret opens the cron route", async () => {
  process.env["CRON_SECRET"] = "right";
  const headers = { authorization: "Bearer wrong" };
  assert.equal((await cron(new Request(`${origin}/cron`, { headers }))).status, 401);
});

test("a product of the first store is sold through the API", async () => {
  const settings = readSettings(environment);
  const shop = await openShop(settings);
  const { SHOP_KEY, PRODUCT } = await setUp(shop, settings);
  const answer = await shop.storefront.handler(
    new Request(`${origin}/v1/checkout/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${SHOP_KEY}`,
        "content-type": "application/json",
        "idempotency-key": "1",
      },
      body: JSON.stringify({
        items: [{ product_id: PRODUCT, quantity: 2 }],
        success_url: `${origin}/thanks`,
        cancel_url: `${origin}/thanks`,
      }),
    }),
  );
  const { data } = (await answer.json()) as { data: { amount_total: number } };
  assert.deepEqual([answer.status, data.amount_total], [201, 6900]);
  await shop.close();
});

test("a paid order is released by its webhook", async () => {
  const released: string[] = [];
  const shop = await createTestShop({
    deliverTo: (request, { secret, now }) =>
      webhookReceiver({
        secret,
        now,
        async onEvent(event) {
          await release(event);
          released.push(event.type);
        },
      })(request),
  });
  const product = await shop.product({ price: 3450 });
  await shop.pay(await shop.checkout([{ product_id: product.id, quantity: 1 }]));
  await shop.advanceClock(1_000);
  assert.ok(released.includes("order.paid"));
});
