import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { type StripeClient, stripeGateway } from "vitrine/stripe";
import { firstIdAt } from "../../../src/domain/keys/ids.ts";
import { payOnPage, testCards } from "./buyer.ts";
import { openDispute } from "./disputes.ts";
import { webhookSecret } from "./fake-stripe.ts";
import { addRefund, settleRefund } from "./refunds.ts";
import { endFakesAfterEach } from "./setup.ts";
import { stripeShop } from "./shop.ts";

endFakesAfterEach();

/** A shop with an open payment, and a sender of any event under a right signature. */
const openShop = async () => {
  const shop = await stripeShop();
  const { order } = await shop.submit();
  const tell = (event: object): Promise<number> => {
    const body = JSON.stringify(event);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: webhookSecret,
    });
    return shop.notify({ gateway: "stripe", body, headers: { "stripe-signature": signature } });
  };
  const status = async () => (await shop.order(order)).status;
  return { ...shop, bought: order, tell, status };
};

const eventOf = (type: string, object: unknown, more: object = {}): object => ({
  id: "evt_later",
  object: "event",
  api_version: "2031-01-01.unknown",
  created: 1,
  livemode: false,
  pending_webhooks: 1,
  request: null,
  type,
  data: { object },
  ...more,
});

const ours = { payment_id: "pay_01K00000000000000000000000" };

describe("events that tell nothing of ours are answered with 200 and change nothing", () => {
  const completed = "checkout.session.completed";
  test.each([
    ["an unknown type", eventOf("payment_intent.partially_funded", { id: "pi_1", metadata: ours })],
    ["a review", eventOf("review.opened", { id: "prv_1", payment_intent: "pi_1" })],
    ["an early fraud warning", eventOf("radar.early_fraud_warning.created", { id: "issfr_1" })],
    [
      "a thin event",
      { id: "evt_1", object: "v2.core.event", type: "v1.billing.meter.error_report_triggered" },
    ],
    ["no data", { ...eventOf(completed, null), data: undefined }],
    ["no object", eventOf(completed, null)],
    ["an object without an id", eventOf(completed, { metadata: ours })],
    ["an object that is text", eventOf(completed, "cs_1")],
    [
      "our field with a number in it",
      eventOf(completed, { id: "cs_1", metadata: { payment_id: 5 } }),
    ],
    ["no metadata", eventOf("payment_intent.succeeded", { id: "pi_1", status: "succeeded" })],
    ["a refund that Stripe does not have", eventOf("refund.updated", { id: "re_1" })],
    ["a refund without an id", eventOf("refund.failed", { payment_intent: "pi_1" })],
    ["a charge without refunds", eventOf("charge.refunded", { id: "ch_1" })],
    ["a dispute that Stripe does not have", eventOf("charge.dispute.closed", { id: "du_1" })],
    ["another account", eventOf(completed, { id: "cs_1", metadata: ours }, { account: "acct_9" })],
  ])("%s", async (_name, event) => {
    const shop = await openShop();
    expect(await shop.tell(event)).toBe(200);
    expect(await shop.status()).toBe("pending");
    expect(shop.errors).toEqual([]);
  });

  test("a refund of another product on the account", async () => {
    const shop = await openShop();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.fake.outbox.take();
    const intent = shop.intent();
    const refund = addRefund(shop.books(), intent, { amount: 500, metadata: {} });
    Object.assign(intent, { metadata: {} });
    shop.fake.outbox.take();
    expect(await shop.tell(eventOf("refund.created", refund))).toBe(200);
    expect(await shop.status()).toBe("pending");
  });
});

describe("what was signed", () => {
  test("is every byte: a byte order mark in front of the signed text is refused", async () => {
    const shop = await openShop();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.fake.outbox.take();
    const payload = JSON.stringify(eventOf("checkout.session.completed", shop.session()));
    const secret = webhookSecret;
    const headers = {
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    };
    const send = (body: string) => shop.notify({ gateway: "stripe", body, headers });
    expect(await send(`\uFEFF${payload}`)).toBe(400);
    expect(await shop.status()).toBe("pending");
    expect(await send(payload)).toBe(200);
    expect(await shop.status()).toBe("paid");
  });

  test("a boleto that nobody paid is told by its session alone, and fails as expired", async () => {
    const shop = await stripeShop({ type: "boleto" });
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), "");
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("pending");

    const payload = JSON.stringify(
      eventOf("checkout.session.async_payment_failed", shop.session()),
    );
    const secret = webhookSecret;
    const headers = {
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    };
    expect(await shop.notify({ gateway: "stripe", body: payload, headers })).toBe(200);
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "expired" });
  });
});

describe("objects of later versions", () => {
  test("with unknown fields and an intent in place of its id pay as ever", async () => {
    const shop = await openShop();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.fake.outbox.take();
    const session = {
      ...shop.session(),
      payment_intent: { ...shop.intent(), amount_details: { tip: {} }, shape: "new" },
      presentment: [{ currency: "usd" }],
      customer: { id: "cus_1", object: "customer" },
    };
    const event = eventOf("checkout.session.completed", session, { context: "acct" });
    expect(await shop.tell(event)).toBe(200);
    expect(await shop.status()).toBe("paid");
    expect(shop.errors).toEqual([]);
  });

  test("with an unknown payment status are not paid", async () => {
    const shop = await openShop();
    const session = { ...shop.session(), status: "complete", payment_status: "authorized" };
    expect(await shop.tell(eventOf("checkout.session.completed", session))).toBe(200);
    expect(await shop.status()).toBe("pending");
  });

  test("with an unknown status of the intent leave the payment open", async () => {
    const shop = await stripeShop({ type: "pix" });
    const { order } = await shop.submit();
    const body = JSON.stringify(
      eventOf("payment_intent.payment_failed", {
        ...shop.intent(),
        status: "blocked",
        next_action: undefined,
        payment_method_types: undefined,
        last_payment_error: undefined,
      }),
    );
    const payload = { payload: body, secret: webhookSecret };
    const headers = { "stripe-signature": Stripe.webhooks.generateTestHeaderString(payload) };
    expect(await shop.notify({ gateway: "stripe", body, headers })).toBe(200);
    expect((await shop.order(order)).status).toBe("pending");
  });

  test("a dispute of an unknown status raises an alert, and the order stays paid", async () => {
    const shop = await openShop();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    const dispute = openDispute(shop.books(), shop.intent(), "warning_needs_response");
    shop.fake.outbox.take();

    dispute.status = "of_a_later_version";
    expect(await shop.tell(eventOf("charge.dispute.created", dispute))).toBe(200);
    expect(await shop.status()).toBe("paid");
    await shop.advanceClock(1);
    expect(shop.alerts).toContain("dispute_inquiry");

    // Our copy of the document is older than the status.
    expect((shop.fake.complaints as string[]).splice(0)).toHaveLength(1);
  });
});

describe("money that goes back", () => {
  test("a refund that had succeeded and fails gives its amount back", async () => {
    const shop = await openShop();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    const refund = addRefund(shop.books(), shop.intent(), { amount: 700, metadata: {} });
    await shop.fake.outbox.deliver();
    expect((await shop.order(shop.bought)).amount_refunded).toBe(700);

    settleRefund(shop.books(), refund, "failed");
    await shop.fake.outbox.deliver();
    expect(await shop.order(shop.bought)).toMatchObject({ status: "paid", amount_refunded: 0 });
  });
});

describe("Stripe's errors", () => {
  const where = { store_id: "str_1", livemode: false, order_id: "ord_1", payment_id: "pay_1" };
  const refundWith = async (error: unknown) => {
    const client = new Stripe("sk_test_1");
    const { checkout, customers, paymentIntents, setupIntents, paymentMethods } = client;
    const { charges, setupAttempts, disputes, webhooks, refunds } = client;
    const stripe: StripeClient = {
      checkout,
      charges,
      customers,
      paymentIntents,
      setupIntents,
      setupAttempts,
      paymentMethods,
      disputes,
      webhooks,
      refunds: {
        retrieve: refunds.retrieve.bind(refunds),
        list: refunds.list.bind(refunds),
        create: () => Promise.reject(error),
      },
    };
    const gateway = stripeGateway({ stripe, webhookSecret: "whsec_1", livemode: false });
    return gateway.refund?.({
      id: "rf_1",
      repeat: false,
      store_id: "str_1",
      account: null,
      signal: new AbortController().signal,
      reference: "pi_1",
      payment_reference: "pi_1",
      amount: 500,
      currency: "BRL",
      metadata: { ...where, refund_id: "rf_1" },
    });
  };
  const errorOf = (statusCode: number, code: string) =>
    new Stripe.errors.StripeInvalidRequestError({
      type: "invalid_request_error",
      statusCode,
      code,
      message: "No.",
    });

  test("a refusal is a failed refund", async () => {
    const refund = await refundWith(errorOf(400, "balance_insufficient"));
    expect(refund).toMatchObject({ status: "failed", failure_reason: "No." });
  });

  test("a first request under the key that still runs leaves the result unknown", async () => {
    // stripe 18 gives it this class, and later versions another one.
    await expect(refundWith(errorOf(409, "idempotency_key_in_use"))).rejects.toThrow("No.");
  });
});

test("a long name is cut between characters", async () => {
  const shop = await stripeShop();
  const where = { store_id: shop.where.store_id, account: null };
  const expires_at = shop.now() + 3_600_000;
  await shop.gateway.createPayment({
    ...where,
    id: firstIdAt("pay", shop.now()),
    order_id: "ord_1",
    amount: 1000,
    currency: "BRL",
    method: { id: "pm_1", type: "card" },
    description: "Order 1",
    customer: { id: "cus_1", email: null, name: null, country: null, tax_id: null },
    metadata: { ...shop.where, order_id: "ord_1", session_id: null, payment_id: "pay_1" },
    line_items: [{ name: "🍵".repeat(300), quantity: 1, amount_total: 1000, image_url: null }],
    input: {},
    return_url: "https://shop.example.com/pay",
    expires_at,
    signal: new AbortController().signal,
  });
  const [line] = shop.books().lines.get(shop.session().id) ?? [];
  expect(line?.name).toBe("🍵".repeat(250));
});
