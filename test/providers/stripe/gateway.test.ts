import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { type StripeClient, type StripeOptions, stripeGateway } from "vitrine/stripe";
import { fromStripeAmount, toStripeAmount } from "../../../adapters/payments/stripe/amounts.ts";
import { emit } from "./books.ts";
import { payOnOwnPage, payOnPage, testCards } from "./buyer.ts";
import { webhookSecret } from "./fake-stripe.ts";
import { addRefund } from "./refunds.ts";
import { endFakesAfterEach, gatewayMessage } from "./setup.ts";
import { stripeShop } from "./shop.ts";

endFakesAfterEach();

// Nobody answers there.
const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port: 1, protocol: "http" });
const options: StripeOptions = { stripe, webhookSecret: "whsec_1", livemode: false };

describe("amounts", () => {
  test.each([
    ["BRL", 1234, 1234],
    ["JPY", 1234, 1234],
    ["ISK", 12, 1200],
    ["UGX", 12, 1200],
    ["MGA", 1200, 12],
    ["MGA", 1234, null],
    ["KWD", 1230, 1230],
    ["KWD", 1234, null],
    ["TND", 5, null],
  ])("%s %i is %s for Stripe", (currency, amount, expected) => {
    expect(toStripeAmount(amount, currency)).toBe(expected);
    if (expected !== null) expect(fromStripeAmount(expected, currency.toLowerCase())).toBe(amount);
  });

  test("a part of a króna is no amount of ours", () => {
    expect(() => fromStripeAmount(150, "isk")).toThrow("too many digits");
  });

  test("an amount that Stripe cannot charge is refused before an order is made", async () => {
    const shop = await stripeShop({ currency: "KWD", price: 1002 });
    await expect(shop.submit()).rejects.toMatchObject({ code: "currency_mismatch" });
    expect((await shop.call("GET", "/orders")).body).toMatchObject({ data: [] });
  });

  test("a currency that Stripe counts otherwise is charged and read as ours", async () => {
    const shop = await stripeShop({ currency: "UGX", price: 4000 });
    const { order } = await shop.submit();
    expect(shop.session().amount_total).toBe(800_000);
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "paid", amount_total: 8000 });
  });
});

describe("options", () => {
  const wrong: readonly [string, object][] = [
    ["webhookSecret", { webhookSecret: "" }],
    ["webhookSecret", { webhookSecret: [] }],
    ["webhookSecret", { webhookSecret: "sk_test_1" }],
    ["stripe", { stripe: "sk_test_1" }],
    ["livemode", { livemode: undefined }],
    ["flow", { flow: "elements" }],
    ["publishableKey", { flow: "element" }],
    ["publishableKey", { flow: "payment_intents" }],
    ["publishableKey", { flow: "payment_intents", publishableKey: "pk_live_1" }],
    ["account", { account: "acct_1" }],
    ["now", { now: 1_700_000_000_000 }],
    ["publishable_key", { publishable_key: "pk_test_1" }],
  ];
  test.each(wrong)("a wrong %s is named at the start", (param, given) => {
    const asGiven = { ...options, ...given } as StripeOptions;
    expect(() => stripeGateway(asGiven)).toThrow(
      expect.objectContaining({ code: "invalid_option", param }),
    );
  });
});

test.each([undefined, null, "sk_test_1"])("stripeGateway(%j) asks for its options", (given) => {
  expect(() => stripeGateway(given as never)).toThrow("stripeGateway takes an object of options.");
});

describe("messages", () => {
  const sign = (payload: string, secret: string) =>
    stripe.webhooks.generateTestHeaderString({ payload, secret });
  const event = (more: object = {}): string =>
    JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "checkout.session.completed",
      livemode: false,
      data: {
        object: {
          id: "cs_1",
          status: "complete",
          payment_status: "paid",
          amount_total: 1000,
          currency: "brl",
          payment_intent: "pi_1",
          expires_at: 1,
          metadata: { payment_id: "pay_1" },
        },
      },
      ...more,
    });
  const read = (body: string, secret: string, given: Partial<StripeOptions> = {}) =>
    stripeGateway({ ...options, ...given }).parseNotification?.(
      gatewayMessage(body, sign(body, secret)),
    );

  test("a completed session tells of the payment where Stripe does not answer", async () => {
    expect(await read(event(), "whsec_1")).toEqual([
      {
        type: "payment",
        notification_id: "evt_1:payment",
        account: null,
        status: "succeeded",
        reference: "cs_1",
        payment_reference: "pi_1",
        payment_id: "pay_1",
        amount: 1000,
        currency: "BRL",
      },
    ]);
  });

  test("each of several secrets is taken, and no other", async () => {
    const webhookSecret = ["whsec_old", "whsec_new"];
    expect(await read(event(), "whsec_new", { webhookSecret })).toHaveLength(1);
    await expect(read(event(), "whsec_other", { webhookSecret })).rejects.toThrow("No secret");
  });

  test("changed bytes and old messages are refused", async () => {
    const gateway = stripeGateway(options);
    const body = event();
    const changed = gatewayMessage(`${body} `, sign(body, "whsec_1"));
    await expect(gateway.parseNotification?.(changed)).rejects.toThrow("unparsed");

    const timestamp = Math.floor(Date.now() / 1000) - 301;
    const old = stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: "whsec_1",
      timestamp,
    });
    await expect(gateway.parseNotification?.(gatewayMessage(body, old))).rejects.toThrow();
  });

  test.each([
    ["of another product", { data: { object: { id: "cs_2", metadata: {} } } }],
    ["of another product without metadata", { data: { object: { id: "cs_2", metadata: null } } }],
    ["of another mode", { livemode: true }],
    ["of a connected account that is not asked for", { account: "acct_1" }],
    ["of a type that tells nothing", { type: "customer.created" }],
  ])("an event %s is ignored", async (_name, more) => {
    expect(await read(event(more), "whsec_1")).toEqual([]);
  });

  test("an event of another product on the account is answered with 200", async () => {
    const shop = await stripeShop();
    await shop.submit();
    const foreign = { ...shop.session(), metadata: {} };
    emit(shop.books(), "checkout.session.completed", foreign);
    await shop.fake.outbox.deliver();
    expect(shop.fake.outbox.waiting).toEqual([]);
    expect(shop.errors).toEqual([]);
  });

  test("a refund that Stripe cannot be asked about now is answered with 503, and counts later", async () => {
    const shop = await stripeShop();
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    addRefund(shop.books(), shop.intent(), { amount: 500, metadata: {} });
    const [message] = shop.fake.outbox.take();
    const tell = async () => {
      const body = new TextEncoder().encode(message?.body);
      const signature = sign(message?.body ?? "", webhookSecret);
      const reply = await shop.storefront.notifications.serve({
        method: "POST",
        target: "/notifications/gateways/stripe/test",
        header: (name) => (name === "stripe-signature" ? signature : undefined),
        body: async () => body,
      });
      return reply?.status;
    };

    shop.fake.wire.choose = () => "lose_request";
    expect(await tell()).toBe(503);
    expect((await shop.order(order)).amount_refunded).toBe(0);

    shop.fake.wire.choose = () => null;
    expect(await tell()).toBe(200);
    expect((await shop.order(order)).amount_refunded).toBe(500);
  });
});

describe("a page of the host's", () => {
  const ownPage = { flow: "payment_intents", publishableKey: "pk_test_1" } as const;

  test("gets the client secret, and a decline lets the buyer try again", async () => {
    const shop = await stripeShop({ stripe: ownPage });
    const { next_action, order } = await shop.submit();
    expect(next_action).toEqual({
      type: "client_secret",
      client_secret: shop.intent()["client_secret"],
      publishable_key: "pk_test_1",
    });

    payOnOwnPage(shop.books(), shop.intent(), testCards.declines);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("pending");
    payOnOwnPage(shop.books(), shop.intent(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });
});

describe("a platform with connected accounts", () => {
  const platform = { account: () => "acct_1" };

  test("charges, reads and refunds on the store's account", async () => {
    const shop = await stripeShop({ stripe: platform, account: "acct_1" });
    const { order, token } = await shop.submit();
    expect(shop.fake.books().sessions.size).toBe(0);

    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    shop.fake.outbox.take();
    expect((await shop.storefront.checkout.resume(token)).status).toBe("paid");
    await shop.storefront.orders.refund(order.id, { ...shop.where, reference: "r1" });
    expect((await shop.order(order)).status).toBe("refunded");
  });

  test("takes the messages of that account", async () => {
    const shop = await stripeShop({ stripe: platform, account: "acct_1" });
    const { order } = await shop.submit();
    payOnPage(shop.books(), shop.session(), testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });
});

test("a client of an older package version needs only the parts that are used", () => {
  const { checkout, customers, paymentIntents, setupIntents, paymentMethods } = stripe;
  const { charges, setupAttempts, refunds, disputes, webhooks } = stripe;
  const parts: StripeClient = {
    checkout,
    charges,
    customers,
    paymentIntents,
    setupIntents,
    setupAttempts,
    paymentMethods,
    refunds,
    disputes,
    webhooks,
  };
  expect(stripeGateway({ ...options, stripe: parts, webhookSecret }).id).toBe("stripe");
});
