import { expect, test } from "vitest";
import { createTestShop } from "vitrine/testing";
import { webhookReceiver } from "vitrine/webhooks/next";

const types = (events: readonly { readonly type: string }[]): string[] =>
  events.map(({ type }) => type);

test("an integrator's story: buy, refund, dispute; the receiver hears of each step", async () => {
  const shop = await createTestShop();
  const coffee = await shop.product({ name: "Coffee", price: 3450, stock: 2 });
  const order = await shop.pay(await shop.checkout([{ product_id: coffee.id, quantity: 2 }]));
  expect(order).toMatchObject({ status: "paid", amount_total: 6900 });
  await expect(shop.checkout([{ product_id: coffee.id, quantity: 1 }])).rejects.toThrow(
    "insufficient_stock",
  );
  expect(await shop.refund(order, { amount: 900 })).toMatchObject({ status: "partially_refunded" });
  expect(await shop.dispute(order, { outcome: "won" })).toMatchObject({
    status: "partially_refunded",
  });
  expect(types(shop.webhooks)).toEqual([
    "order.created",
    "order.paid",
    "checkout.session.completed",
    "order.refunded",
    "order.chargeback",
  ]);
});

test("a declined payment, and one that comes to its result later", async () => {
  const shop = await createTestShop({ currency: "USD" });
  const tea = await shop.product();
  const session = await shop.checkout([{ product_id: tea.id, quantity: 1 }]);
  expect(await shop.fail(session)).toMatchObject({ status: "failed", failure_code: "declined" });
  const pending = await shop.pay(session, { outcome: "pending_then_succeed" });
  expect(pending.status).toBe("pending");
  await shop.advanceClock(600_000);
  expect(await shop.call("GET", `/orders/${pending.id}`)).toMatchObject({
    status: 200,
    body: { data: { status: "paid" } },
  });
  expect(types(shop.webhooks)).toEqual([
    "order.created",
    "order.failed",
    "order.paid",
    "checkout.session.completed",
  ]);
});

test("a subscription renews, falls behind, is mended and ends", async () => {
  const shop = await createTestShop({ startAt: Date.UTC(2026, 0, 31) });
  const box = await shop.product({ recurring: { interval: "month", interval_count: 1 } });
  const order = await shop.pay(await shop.checkout([{ product_id: box.id, quantity: 1 }]));
  const subscription = { id: order.subscription_id ?? "" };
  expect(await shop.renew(subscription)).toMatchObject({
    current_period_start: "2026-02-28T00:00:00.000Z",
  });
  expect(await shop.renew(subscription, { failed: true })).toMatchObject({ status: "past_due" });
  expect(await shop.renew(subscription)).toMatchObject({
    status: "active",
    current_period_start: "2026-03-31T00:00:00.000Z",
  });
  expect(await shop.cancel(subscription)).toMatchObject({
    status: "active",
    cancel_at_period_end: true,
  });
  await shop.advanceClock(30 * 86_400_000);
  expect(shop.webhooks.at(-1)).toMatchObject({
    type: "subscription.canceled",
    data: { subscription: { status: "canceled" } },
  });
});

test("deliveries go to the receiver under test, whose clock is the shop's, until it takes them", async () => {
  const taken: string[] = [];
  let isBroken = true;
  const shop = await createTestShop({
    deliverTo: (request, { secret, now }) =>
      webhookReceiver({
        secret,
        now,
        onEvent: ({ type }) => {
          if (isBroken) throw new Error("the queue is down");
          taken.push(type);
        },
        onError: () => {},
      })(request),
  });
  const product = await shop.product({ price: 1000 });
  await shop.pay(await shop.checkout([{ product_id: product.id, quantity: 1 }]));
  expect(taken).toEqual([]);

  isBroken = false;
  await shop.advanceClock(24 * 3_600_000);
  expect([...taken].sort()).toEqual(["checkout.session.completed", "order.created", "order.paid"]);
});

test("a session is also made by a call of one's own, with the shop's return address", async () => {
  const shop = await createTestShop();
  const product = await shop.product({ price: 1000 });
  const { status } = await shop.call("POST", "/checkout/sessions", {
    key: shop.keys.publishable,
    body: {
      items: [{ product_id: product.id, quantity: 1 }],
      success_url: shop.return_url,
      cancel_url: shop.return_url,
    },
    headers: { "idempotency-key": "1" },
  });
  expect(status).toBe(201);
});

test("a dispute that is opened first and closed later is one dispute", async () => {
  const shop = await createTestShop();
  const product = await shop.product({ price: 1000 });
  const order = await shop.pay(await shop.checkout([{ product_id: product.id, quantity: 1 }]));
  expect((await shop.dispute(order)).status).toBe("chargeback");
  expect((await shop.dispute(order)).status).toBe("chargeback");
  expect((await shop.dispute(order, { outcome: "won" })).status).toBe("paid");
  expect(shop.webhooks.filter(({ type }) => type === "order.chargeback")).toHaveLength(1);

  expect((await shop.dispute(order, { outcome: "lost" })).status).toBe("chargeback");
});

test("a forgotten await, and a clock without a number, are refused in words", async () => {
  const shop = await createTestShop();
  const tea = await shop.product({ price: 100 });
  const checkout = shop.checkout([{ product_id: tea.id, quantity: 1 }]);
  await expect(shop.pay(checkout as never)).rejects.toThrow("await its promise");
  await expect(shop.fail(undefined as never)).rejects.toThrow("must be what a step has given");

  const order = shop.pay(await checkout);
  await expect(shop.refund(order as never)).rejects.toThrow("await its promise");
  await expect(shop.dispute(order as never)).rejects.toThrow("await its promise");
  for (const ms of [undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, "5"])
    await expect(shop.advanceClock(ms as never)).rejects.toThrow(
      "must be a number of milliseconds",
    );
});
