import { describe, expect, test } from "vitest";
import type { Renewal, SubscriptionCancel } from "../../src/rules/order-commands.ts";
import { emptySnapshot } from "../../src/rules/order-snapshot.ts";
import type { SubscriptionRecord } from "../../src/rules/payment-records.ts";
import { decideCancel } from "../../src/rules/subscription-cancel.ts";
import { decideRenewal } from "../../src/rules/subscription-renewal.ts";
import { base, types } from "../payments/order-fixtures.ts";

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
    expect(types(decision)).toEqual(["order.created", "order.failed"]);
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
