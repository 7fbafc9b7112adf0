import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { payOnPage, testCards } from "./buyer.ts";
import { openDispute } from "./disputes.ts";
import { webhookSecret } from "./fake-stripe.ts";
import { eventsOfDocument, statusesOfDocument } from "./judge.ts";
import { addRefund } from "./refunds.ts";
import { endFakesAfterEach } from "./setup.ts";
import { type StripeShopOptions, stripeShop } from "./shop.ts";

// Every event, and every status, that Stripe's own document lists for payments, refunds and disputes
// is a row: what it does to an order. A value that the document gets later has no row, and fails.

endFakesAfterEach();

/** A shop with an order whose payment has begun, and a sender of signed events. */
async function openShop(options: StripeShopOptions = {}) {
  const shop = await stripeShop(options);
  const { order } = await shop.submit(
    options.trialDays === undefined ? {} : { customer: { id: "u_1" }, consent: "yes" },
  );

  const tell = async (type: string, object: object): Promise<void> => {
    const event = { id: `evt_${type}`, object: "event", livemode: false, type, data: { object } };
    const payload = JSON.stringify(event);
    const secret = webhookSecret;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
    const headers = { "stripe-signature": signature };
    expect(await shop.notify({ gateway: "stripe", body: payload, headers })).toBe(200);
  };
  const effect = async (): Promise<string> => {
    const { status, failure_code, amount_refunded } = await shop.order(order);
    const refunded = amount_refunded > 0 ? ` ${amount_refunded}` : "";
    return `${status}${failure_code === null ? "" : ` ${failure_code}`}${refunded}`;
  };
  return { shop, tell, effect };
}
type Opened = Awaited<ReturnType<typeof openShop>>;

/** The buyer has paid on Stripe's page, and nobody has told us. */
function payUntold({ shop }: Opened): void {
  payOnPage(shop.books(), shop.session(), testCards.succeeds);
  shop.fake.outbox.take();
}

/** Each maker gives what an event is about, in the state in which Stripe sends it. */
const objects = {
  /** A session whose money came. */
  session(opened: Opened) {
    payUntold(opened);
    return opened.shop.session();
  },
  waiting({ shop }: Opened) {
    payOnPage(shop.books(), shop.session(), "");
    shop.fake.outbox.take();
    return shop.session();
  },
  expired({ shop }: Opened) {
    return { ...shop.session(), status: "expired", payment_status: "unpaid" };
  },
  /** An intent of the gateway's own, which is a Pix code, in a status. */
  intent: (status: string) => (opened: Opened) => {
    const intent = opened.shop.intent();
    const waits = status === "requires_action" || status === "processing";
    return {
      ...intent,
      status,
      ...(status === "succeeded" && { amount_received: intent.amount }),
      ...(!waits && { next_action: null }),
    };
  },
  /** A card that is kept without a payment, in a status. */
  setup: (status: string) => (opened: Opened) => {
    const [setup] = opened.shop.books().setups.values();
    opened.shop.fake.outbox.take();
    return { ...setup, status };
  },
  charge(opened: Opened) {
    payUntold(opened);
    const { latest_charge, metadata } = opened.shop.intent();
    return { id: latest_charge, object: "charge", metadata, status: "succeeded" };
  },
  refund: (status: string) => (opened: Opened) => {
    payUntold(opened);
    const refund = addRefund(opened.shop.books(), opened.shop.intent(), {
      amount: 500,
      metadata: {},
    });
    Object.assign(refund, { status });
    opened.shop.fake.outbox.take();
    return refund;
  },
  refundedCharge(opened: Opened) {
    objects.refund("succeeded")(opened);
    return { id: opened.shop.intent().latest_charge, object: "charge" };
  },
  dispute: (status: string) => (opened: Opened) => {
    payUntold(opened);
    const dispute = openDispute(opened.shop.books(), opened.shop.intent());
    Object.assign(dispute, { status });
    opened.shop.fake.outbox.take();
    return dispute;
  },
} as const;

type Row = readonly [
  object: (opened: Opened) => object,
  effect: string,
  options?: StripeShopOptions,
];
const trial: StripeShopOptions = {
  monthly: true,
  trialDays: 14,
  stripe: { flow: "payment_intents", publishableKey: "pk_test_1" },
};
const pix: StripeShopOptions = { type: "pix" };
const boleto: StripeShopOptions = { type: "boleto" };
const nothing = "pending";

const events: Readonly<Record<string, Row>> = {
  "checkout.session.completed": [objects.session, "paid"],
  "checkout.session.async_payment_succeeded": [objects.session, "paid"],
  "checkout.session.async_payment_failed": [objects.waiting, "failed expired", boleto],
  "checkout.session.expired": [objects.expired, "failed canceled"],
  "payment_intent.amount_capturable_updated": [objects.intent("requires_capture"), nothing, pix],
  "payment_intent.canceled": [objects.intent("canceled"), "failed canceled", pix],
  "payment_intent.created": [objects.intent("requires_action"), nothing, pix],
  "payment_intent.partially_funded": [objects.intent("requires_action"), nothing, pix],
  "payment_intent.payment_failed": [
    objects.intent("requires_payment_method"),
    "failed declined",
    pix,
  ],
  "payment_intent.processing": [objects.intent("processing"), nothing, pix],
  "payment_intent.requires_action": [objects.intent("requires_action"), nothing, pix],
  "payment_intent.succeeded": [objects.intent("succeeded"), "paid", pix],
  "setup_intent.canceled": [objects.setup("canceled"), "failed canceled", trial],
  "setup_intent.created": [objects.setup("requires_payment_method"), nothing, trial],
  "setup_intent.requires_action": [objects.setup("requires_action"), nothing, trial],
  "setup_intent.setup_failed": [objects.setup("requires_payment_method"), nothing, trial],
  "setup_intent.succeeded": [objects.setup("succeeded"), "paid", trial],
  // An intent tells what its charges do: their own events come beside it.
  "charge.captured": [objects.charge, nothing],
  "charge.expired": [objects.charge, nothing],
  "charge.failed": [objects.charge, nothing],
  "charge.pending": [objects.charge, nothing],
  "charge.succeeded": [objects.charge, nothing],
  "charge.updated": [objects.charge, nothing],
  "charge.refunded": [objects.refundedCharge, "partially_refunded 500"],
  "charge.refund.updated": [objects.refund("succeeded"), "partially_refunded 500"],
  "refund.created": [objects.refund("succeeded"), "partially_refunded 500"],
  "refund.updated": [objects.refund("succeeded"), "partially_refunded 500"],
  "refund.failed": [objects.refund("failed"), "paid"],
  "charge.dispute.created": [objects.dispute("needs_response"), "chargeback"],
  "charge.dispute.updated": [objects.dispute("under_review"), "chargeback"],
  "charge.dispute.funds_withdrawn": [objects.dispute("needs_response"), "chargeback"],
  "charge.dispute.funds_reinstated": [objects.dispute("won"), "paid"],
  "charge.dispute.closed": [objects.dispute("lost"), "chargeback"],
};

const families = /^(payment_intent|setup_intent|checkout\.session|charge|refund)\./;

describe("an event of Stripe", () => {
  test("has a row for each that the document lists", () => {
    const listed = eventsOfDocument().filter((type) => families.test(type));
    expect(Object.keys(events).sort()).toEqual([...listed].sort());
  });

  test.each(Object.entries(events))("%s", async (type, [object, effect, options]) => {
    const opened = await openShop(options);
    await opened.tell(type, object(opened));
    expect(await opened.effect()).toBe(effect);
  });
});

/** The event that tells of each object, and what an order is after it, by the object's status. */
const statuses: Readonly<
  Record<string, readonly [event: string, rows: Readonly<Record<string, Row>>]>
> = {
  payment_intent: [
    "payment_intent.succeeded",
    {
      canceled: [objects.intent("canceled"), "failed canceled", pix],
      processing: [objects.intent("processing"), nothing, pix],
      requires_action: [objects.intent("requires_action"), nothing, pix],
      requires_capture: [objects.intent("requires_capture"), nothing, pix],
      requires_confirmation: [objects.intent("requires_confirmation"), nothing, pix],
      requires_payment_method: [objects.intent("requires_payment_method"), "failed declined", pix],
      succeeded: [objects.intent("succeeded"), "paid", pix],
    },
  ],
  setup_intent: [
    "setup_intent.succeeded",
    {
      canceled: [objects.setup("canceled"), "failed canceled", trial],
      processing: [objects.setup("processing"), nothing, trial],
      requires_action: [objects.setup("requires_action"), nothing, trial],
      requires_confirmation: [objects.setup("requires_confirmation"), nothing, trial],
      requires_payment_method: [objects.setup("requires_payment_method"), nothing, trial],
      succeeded: [objects.setup("succeeded"), "paid", trial],
    },
  ],
  refund: [
    "refund.updated",
    {
      pending: [objects.refund("pending"), "paid"],
      requires_action: [objects.refund("requires_action"), "paid"],
      succeeded: [objects.refund("succeeded"), "partially_refunded 500"],
      failed: [objects.refund("failed"), "paid"],
      canceled: [objects.refund("canceled"), "paid"],
    },
  ],
  dispute: [
    "charge.dispute.updated",
    {
      charge_refunded: [objects.dispute("charge_refunded"), "paid"],
      lost: [objects.dispute("lost"), "chargeback"],
      needs_response: [objects.dispute("needs_response"), "chargeback"],
      under_review: [objects.dispute("under_review"), "chargeback"],
      warning_closed: [objects.dispute("warning_closed"), "paid"],
      warning_needs_response: [objects.dispute("warning_needs_response"), "paid"],
      warning_under_review: [objects.dispute("warning_under_review"), "paid"],
      won: [objects.dispute("won"), "paid"],
    },
  ],
  "checkout.session": [
    "checkout.session.completed",
    {
      complete: [objects.session, "paid"],
      expired: [objects.expired, "failed canceled"],
      open: [({ shop }) => shop.session(), nothing],
    },
  ],
};

describe.each(Object.entries(statuses))("a status of Stripe's %s", (name, [event, rows]) => {
  test("has a row for each that the document lists", () => {
    expect(Object.keys(rows).sort()).toEqual([...statusesOfDocument(name)].sort());
  });

  test.each(Object.entries(rows))("%s", async (_status, [object, effect, options]) => {
    const opened = await openShop(options);
    await opened.tell(event, object(opened));
    expect(await opened.effect()).toBe(effect);
  });
});
