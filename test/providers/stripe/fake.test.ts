import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { startFakeStripe } from "./fake-stripe.ts";
import { stripeJudge } from "./judge.ts";
import { endFakesAfterEach, judgedStripe } from "./setup.ts";

endFakesAfterEach();

const keyed = { idempotencyKey: "key-1" };
const line = {
  quantity: 1,
  price_data: { currency: "brl", unit_amount: 1000, product_data: { name: "Coffee" } },
};
const session: Stripe.Checkout.SessionCreateParams = {
  mode: "payment",
  line_items: [line],
  success_url: "https://shop.example.com/done",
};

describe("idempotency keys of the fake", () => {
  test("a repeat gives the first answer, and other parameters are refused", async () => {
    const { client } = await judgedStripe();
    const first = await client.customers.create({ name: "Ana" }, keyed);
    expect((await client.customers.create({ name: "Ana" }, keyed)).id).toBe(first.id);
    await expect(client.customers.create({ name: "Bia" }, keyed)).rejects.toMatchObject({
      type: "StripeIdempotencyError",
    });
  });

  test("a key is forgotten after 24 hours", async () => {
    let now = Date.now();
    const { client } = await judgedStripe({ now: () => now });
    const first = await client.customers.create({ name: "Ana" }, keyed);
    now += 86_400_000;
    expect((await client.customers.create({ name: "Ana" }, keyed)).id).not.toBe(first.id);
  });

  test("a request whose key is in use is refused with 409 until the first one ends", async () => {
    const fake = await judgedStripe();
    fake.wire.work_ms = 200;
    const once = { ...keyed, maxNetworkRetries: 0 };
    const both = [1, 2].map(() => fake.client.customers.create({ name: "Ana" }, once));
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(fake.calls).toEqual(["POST /v1/customers"]);
  });
});

describe("what the fake refuses as Stripe does", () => {
  test("a list of methods under a version that has none", async () => {
    const { client } = await judgedStripe();
    const typed = { ...session, payment_method_types: ["card"] };
    await expect(client.checkout.sessions.create(typed)).rejects.toMatchObject({
      code: "payment_method_types_no_longer_supported",
    });
    const old = { apiVersion: "2025-04-30.basil" };
    expect((await client.checkout.sessions.create(typed, old)).status).toBe("open");
  });

  test("a session that ends too soon, and an amount that is too small", async () => {
    const { client } = await judgedStripe();
    const expires_at = Math.floor(Date.now() / 1000) + 60;
    await expect(client.checkout.sessions.create({ ...session, expires_at })).rejects.toThrow(
      "30 minutes",
    );
    await expect(client.paymentIntents.create({ amount: 1, currency: "brl" })).rejects.toThrow(
      "least",
    );
  });

  test("objects that it does not have", async () => {
    const { client } = await judgedStripe();
    await expect(client.refunds.retrieve("re_1")).rejects.toMatchObject({
      code: "resource_missing",
    });
  });
});

describe("the judge", () => {
  test.each([
    ["an unknown field", { ...session, colour: "red" }],
    ["text for an amount", { ...session, line_items: [{ ...line, quantity: "many" }] }],
    ["a line without a currency", { ...session, line_items: [{ price_data: { unit_amount: 1 } }] }],
  ])("refuses %s in a request", async (_name, params) => {
    const fake = await startFakeStripe({ judge: stripeJudge() });
    // The client's types refuse such parameters too.
    await expect(fake.client.checkout.sessions.create(params as never)).rejects.toMatchObject({
      code: "parameter_unknown",
    });
    expect(fake.complaints).not.toEqual([]);
    await fake.close();
  });

  test("refuses an unknown field, a wrong type and a missing field in an answer", () => {
    const exchange = { method: "GET", path: "/v1/refunds/{refund}" };
    const refund = { id: "re_1", object: "refund", amount: 1, created: 1, currency: "brl" };
    const judge = stripeJudge();
    expect(judge.answer(exchange, 200, refund)).toEqual([]);
    expect(judge.answer(exchange, 200, { ...refund, colour: "red" })).not.toEqual([]);
    expect(judge.answer(exchange, 200, { ...refund, amount: "1" })).not.toEqual([]);
    expect(judge.answer(exchange, 200, { ...refund, currency: undefined })).not.toEqual([]);
  });
});
