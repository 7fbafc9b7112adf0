import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import { emptySnapshot, type OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { newMoney } from "../../src/rules/payments/order-money.ts";
import type {
  AttemptRecord,
  SubscriptionRecord,
} from "../../src/rules/payments/payment-records.ts";
import type { OrderRecord } from "../../src/rules/records.ts";
import { decideCancel } from "../../src/rules/subscriptions/subscription-cancel.ts";
import type {
  Renewal,
  SubscriptionCancel,
} from "../../src/rules/subscriptions/subscription-commands.ts";
import {
  firstSubscription,
  isEnding,
  orderAfterEnd,
  subscriptionEndsAt,
} from "../../src/rules/subscriptions/subscription-record.ts";
import { decideRenewal } from "../../src/rules/subscriptions/subscription-renewal.ts";
import { base, dataOf, paid, session, types } from "../payments/order-fixtures.ts";

const anchor = Date.UTC(2026, 0, 31);
const february = Date.UTC(2026, 1, 28);
const march = Date.UTC(2026, 2, 31);

const subscription: SubscriptionRecord = {
  store_id: "str_a",
  livemode: false,
  id: "sub_1",
  status: "active",
  product_id: "prod_1",
  product_slug: "p",
  product_name: "P",
  image_url: null,
  variables: {},
  quantity: 1,
  unit_amount: 500,
  amount: 500,
  currency: "BRL",
  interval: "month",
  interval_count: 1,
  anchor,
  periods: 1,
  current_period_start: anchor,
  current_period_end: february,
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  customer: {
    id: "cus_1",
    email: null,
    name: null,
    discord_id: null,
    tax_id: null,
    tax_id_type: null,
    country: null,
  },
  payment_method_type: "pix",
  latest_order_id: "ord_1",
  metadata: {},
  created_at: anchor,
  updated_at: anchor,
};

const renewal = (changes: Partial<Renewal> = {}): Renewal => ({
  store_id: "str_a",
  livemode: false,
  subscription_id: "sub_1",
  period_start: february,
  paid: true,
  failure_code: "declined",
  reference: "r2",
  attempt_id: "pay_2",
  amount: 500,
  currency: "BRL",
  ids: { ...base.ids, order: "ord_2" },
  now: february + 5,
  ...changes,
});

const renew = (changes: Partial<Renewal> = {}, over: Partial<SubscriptionRecord> = {}) =>
  decideRenewal({ ...emptySnapshot, subscription: { ...subscription, ...over } }, renewal(changes));

describe("a renewal", () => {
  test("pays the next period, which is counted from the anchor", () => {
    const decision = renew();
    expect(decision.result).toMatchObject({
      outcome: "renewed",
      subscription: {
        status: "active",
        periods: 2,
        current_period_start: february,
        current_period_end: march,
        latest_order_id: "ord_2",
        updated_at: february + 5,
      },
      order: { status: "paid", amount_total: 500, period_start: february, paid_at: february + 5 },
    });
    expect(types(decision)).toEqual(["order.created", "order.paid", "subscription.renewed"]);
    expect(decision.changes?.payments).toMatchObject([
      { state: "booked", payment_reference: "r2" },
    ]);
  });

  test("that failed makes it past_due, and the period stays", () => {
    const decision = renew({ paid: false });
    expect(decision.result).toMatchObject({
      outcome: "failed",
      subscription: { status: "past_due", periods: 1, current_period_end: february },
      order: { status: "failed", failure_code: "declined", paid_at: null },
    });
    expect(types(decision)).toEqual(["order.created", "order.failed", "subscription.past_due"]);
    expect(decision.changes?.payments).toEqual([]);
  });

  test.each([
    ["a millisecond of another period", { period_start: february + 1 }, {}, "unknown_period"],
    ["the period that is paid", { period_start: anchor }, {}, "unknown_period"],
    ["an ended subscription", {}, { status: "canceled" }, "invalid_transition"],
    [
      "a subscription that ends with its period",
      {},
      { cancel_at_period_end: true },
      "invalid_transition",
    ],
    ["a past due subscription", {}, { status: "past_due" }, "renewed"],
    ["another amount", { amount: 499 }, {}, "mismatch"],
    ["another currency", { currency: "USD" }, {}, "mismatch"],
    ["a failure, of whatever amount", { paid: false, amount: null, currency: null }, {}, "failed"],
  ] as const)("of %s", (_name, changes, over, outcome) => {
    expect(renew(changes, over).result.outcome).toBe(outcome);
  });

  test("of no subscription is refused", () => {
    const decision = decideRenewal({ ...emptySnapshot, subscription: null }, renewal());
    expect(decision.result.outcome).toBe("unknown_subscription");
  });
});

describe("the end of a subscription", () => {
  const cancel = (
    when: SubscriptionCancel["when"],
    over: Partial<SubscriptionRecord> = {},
    now = anchor + 5,
  ) =>
    decideCancel(
      { ...subscription, ...over },
      { store_id: "str_a", livemode: false, subscription_id: "sub_1", when, ids: base.ids, now },
    );
  const scheduled = { cancel_at_period_end: true, canceled_at: anchor + 1 };

  test("at the end of the period is noted, without an event", () => {
    const decision = cancel("at_period_end");
    expect(decision.result).toMatchObject({
      outcome: "scheduled",
      subscription: { status: "active", cancel_at_period_end: true, canceled_at: anchor + 5 },
    });
    expect(types(decision)).toEqual([]);
    expect(cancel("at_period_end", scheduled).changes).toBeNull();
  });

  test("now has its own time", () => {
    const decision = cancel("now");
    expect(decision.result).toMatchObject({
      outcome: "canceled",
      subscription: { status: "canceled", canceled_at: anchor + 5, ended_at: anchor + 5 },
    });
    expect(types(decision)).toEqual(["subscription.canceled"]);
  });

  test.each([
    [february - 1, "unchanged"],
    [february, "canceled"],
  ])("by maintenance at %d is %s", (now, outcome) => {
    expect(cancel("ending", scheduled, now).result.outcome).toBe(outcome);
    expect(cancel("ending", {}, now).result.outcome).toBe("unchanged");
  });

  test("by maintenance has the time of the period's end, and keeps when it was asked for", () => {
    expect(cancel("ending", scheduled, march).result).toMatchObject({
      subscription: { ended_at: february, canceled_at: anchor + 1, updated_at: march },
    });
  });

  test("happens once", () => {
    for (const when of ["now", "at_period_end", "ending"] as const)
      expect(cancel(when, { ...scheduled, status: "canceled" }, march).result.outcome).toBe(
        "unchanged",
      );
  });
});

describe("the order of a period", () => {
  test("is made in full from the subscription, and has its payment", () => {
    const over = { variables: { size: "M" }, quantity: 2, image_url: "i", metadata: { a: 1 } };
    const decision = renew({}, over);
    const made: OrderRecord = {
      store_id: "str_a",
      livemode: false,
      id: "ord_2",
      number: 0,
      status: "paid",
      session_id: null,
      subscription_id: "sub_1",
      currency: "BRL",
      amount_subtotal: 500,
      amount_discount: 0,
      amount_total: 500,
      amount_refunded: 0,
      amount_refunding: 0,
      coupon_id: null,
      coupon_code: null,
      coupon_key: null,
      items: [
        {
          id: "oi_1",
          product_id: "prod_1",
          product_slug: "p",
          name: "P",
          image_url: "i",
          quantity: 2,
          unit_amount: 500,
          amount_subtotal: 500,
          amount_discount: 0,
          amount_total: 500,
          variables: { size: "M" },
        },
      ],
      customer: subscription.customer,
      payment_method_type: "pix",
      failure_code: null,
      metadata: { a: 1 },
      holds: "none",
      reserved: false,
      sweep_at: null,
      period_start: february,
      in_stats: true,
      status_before_dispute: null,
      created_at: february + 5,
      updated_at: february + 5,
      paid_at: february + 5,
      refunded_at: null,
      disputed_at: null,
    };
    expect(decision.changes?.order).toEqual(made);
    expect(decision.changes?.attempts).toMatchObject([
      { id: "pay_2", order_id: "ord_2", state: "succeeded", reference: "r2", amount: 500 },
    ]);
    expect(dataOf(decision, 0)).toMatchObject({
      order: { id: "ord_2", number: 7, status: "pending" },
      previous_status: null,
    });
    expect(dataOf(decision, 1)).toMatchObject({ previous_status: "pending" });
  });

  const failed = renew({ paid: false }).changes?.order as OrderRecord;
  const settled = renew().changes?.order as OrderRecord;
  const booked = newMoney(
    emptySnapshot,
    { ...(paid.attempts[0] as AttemptRecord), id: "pay_2", order_id: "ord_2" },
    { reference: "r2", amount: 500, currency: "BRL", now: february + 5 },
    "booked",
  );
  const renewOver = (over: Partial<OrderSnapshot>, changes: Partial<Renewal> = {}) =>
    decideRenewal({ ...emptySnapshot, subscription, ...over }, renewal(changes));

  test("that failed is paid by a later try, without being made again", () => {
    const decision = renewOver({ order: { ...failed, number: 9 } });
    expect(decision.result).toMatchObject({
      outcome: "renewed",
      order: { id: failed.id, number: 9, status: "paid", failure_code: null },
    });
    expect(types(decision)).toEqual(["order.paid", "subscription.renewed"]);
    expect(dataOf(decision, 0)).toMatchObject({ previous_status: "failed" });
  });

  test.each([
    ["that failed", failed],
    ["that is paid", settled],
  ])("%s stays so when it is told to have failed", (_name, order) => {
    expect(renewOver({ order }, { paid: false })).toEqual({
      result: { outcome: "unchanged", subscription, order },
      changes: null,
    });
  });

  const other = { ...(paid.attempts[0] as AttemptRecord), id: "pay_7", order_id: "ord_7" };
  const ended = { ...subscription, status: "canceled" as const };

  test.each<[string, Partial<OrderSnapshot>, Partial<Renewal>, string]>([
    ["that another payment has, for a new period", { elsewhere: [other] }, {}, "reference_taken"],
    [
      "that another payment has, for a paid period",
      { order: settled, elsewhere: [other] },
      {},
      "reference_taken",
    ],
    [
      "that other money has, after the end",
      { subscription: ended, order: settled, elsewhere: [other] },
      { period_start: march },
      "reference_taken",
    ],
    [
      "that another payment waits for, after the end",
      { subscription: ended, order: settled, elsewhere: [{ ...other, state: "in_flight" }] },
      { period_start: march },
      "after_end",
    ],
    [
      "of a failure, after the end",
      { subscription: ended, order: settled },
      { paid: false, period_start: march },
      "invalid_transition",
    ],
    ["after the end, without an order", { subscription: ended }, {}, "invalid_transition"],
    [
      "before the first period of an ended one",
      { subscription: ended, order: settled },
      { period_start: anchor - 1 },
      "unknown_period",
    ],
    [
      "of an unknown period, with an order",
      { order: settled },
      { period_start: march },
      "unknown_period",
    ],
  ])("by a reference %s: %s", (_name, over, changes, outcome) => {
    const decision = renewOver(over, changes);
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes === null).toBe(outcome !== "after_end");
  });

  test.each([
    ["of a period that is paid", subscription, settled, {}, "duplicate", "duplicate_payment"],
    [
      "of a period that a link has paid",
      ...[subscription, settled, { period_start: anchor }, "duplicate", "duplicate_payment"],
    ],
    [
      "of a period whose order failed before a link paid it",
      { ...subscription, periods: 2, current_period_start: february, current_period_end: march },
      ...[failed, {}, "duplicate", "duplicate_payment"],
    ],
    [
      "of a paid period, after the end",
      ...[ended, settled, { period_start: anchor }, "duplicate", "duplicate_payment"],
    ],
    ["after the end", ended, settled, { period_start: march }, "after_end", "payment_after_end"],
  ] as const)("money %s is kept, and the owner is told", (...row) => {
    const [, of, order, changes, outcome, type] = row;
    const snapshot = { subscription: of, order, payments: [booked] };
    const decision = renewOver(snapshot, {
      ...changes,
      reference: "r3",
      attempt_id: "pay_3",
      amount: 7,
      currency: "USD",
    });
    expect(decision.result).toEqual({ outcome, subscription: of, order });
    expect(decision.changes).toMatchObject({
      order,
      subscription: null,
      events: [],
      attempts: [{ id: "pay_3", state: "duplicate", received_amount: 7, received_currency: "USD" }],
      payments: [{ id: "pay_3", state: "duplicate", amount: 7, currency: "USD" }],
      alerts: [{ id: "alr_1", type, subject: "pay_3", data: { reference: "r3", amount: 7 } }],
    });
  });

  test("money without an amount has that of its order", () => {
    const news = { reference: "r3", attempt_id: "pay_3", amount: null, currency: null };
    const decision = renewOver({ order: settled }, news);
    expect(decision.changes?.payments).toMatchObject([{ amount: 500, currency: "BRL" }]);
  });

  const known = { ...other, id: "pay_2", order_id: "ord_2", reference: "r2" };

  test.each<[string, Partial<OrderSnapshot>, Partial<Renewal>, string]>([
    ["by its money", { payments: [booked] }, { attempt_id: "pay_3" }, "unchanged"],
    ["by its attempt", { attempts: [known] }, { reference: "r3" }, "unchanged"],
    ["by what its attempt got", { attempts: [known] }, { attempt_id: "pay_3" }, "unchanged"],
    [
      "by what an attempt waits for",
      { attempts: [{ ...known, state: "in_flight" }] },
      { attempt_id: "pay_3" },
      "duplicate",
    ],
    [
      "not",
      { attempts: [known], payments: [booked] },
      { attempt_id: "pay_3", reference: "r3" },
      "duplicate",
    ],
  ])("the same money is known %s", (_name, over, changes, outcome) => {
    expect(renewOver({ order: settled, ...over }, changes).result.outcome).toBe(outcome);
  });
});

describe("the record of a subscription", () => {
  const recurring = { interval: "month", interval_count: 1 } as const;
  const [line] = session.lines;
  if (!line) throw new Error("The fixture has lines.");
  const order = paid.order as OrderRecord;

  test("is that of the session's first line", () => {
    const from = {
      ...session,
      lines: [
        { ...line, recurring, variables: { size: "M" }, amount_subtotal: 900, amount_total: 800 },
      ],
    };
    expect(firstSubscription(from, order, { id: "sub_1", now: anchor, saved: undefined })).toEqual({
      ...subscription,
      product_id: line.product_id,
      product_slug: line.product_slug,
      product_name: line.name,
      variables: { size: "M" },
      quantity: line.quantity,
      unit_amount: line.unit_amount,
      amount: 900,
      customer: order.customer,
      payment_method_type: order.payment_method_type,
      latest_order_id: order.id,
      metadata: session.metadata,
    });
  });

  test.each([
    ["a product that is bought once", session],
    ["no line", { ...session, lines: [] }],
  ])("is none for a session of %s", (_name, from) => {
    expect(
      firstSubscription(from, order, { id: "sub_1", now: anchor, saved: undefined }),
    ).toBeNull();
  });

  test.each([
    ["active", false, false, null],
    ["active", true, true, february],
    ["past_due", true, true, february],
    ["canceled", false, true, null],
    ["canceled", true, true, null],
  ] as const)(
    "that is %s, to end with its period: %j",
    (status, cancel_at_period_end, ending, at) => {
      const record = { ...subscription, status, cancel_at_period_end };
      expect(isEnding(record)).toBe(ending);
      const { current_period_end } = record;
      const orderOf = (period_start: number) => orderAfterEnd(record, { period_start });
      expect(orderOf(current_period_end)).toBe(ending ? "ord_1" : null);
      expect(orderOf(current_period_end - 1)).toBe("ord_1");
      expect(subscriptionEndsAt(record)).toBe(at);
    },
  );

  test("that is not there has no order after its end, and no end", () => {
    expect(orderAfterEnd(null, { period_start: 0 })).toBeNull();
    const command = { store_id: "str_a", livemode: false, subscription_id: "sub_1", now: anchor };
    expect(decideCancel(null, { ...command, when: "now", ids: base.ids })).toEqual({
      result: { outcome: "unknown_subscription" },
      changes: null,
    });
  });

  test("that is to end is written", () => {
    const command = {
      store_id: "str_a",
      livemode: false,
      subscription_id: "sub_1",
      now: anchor + 5,
    };
    const decision = decideCancel(subscription, {
      ...command,
      when: "at_period_end",
      ids: base.ids,
    });
    const scheduled = {
      ...subscription,
      cancel_at_period_end: true,
      canceled_at: anchor + 5,
      updated_at: anchor + 5,
    };
    expect(decision.changes).toEqual(orderChanges({ subscription: scheduled }));
  });
});
