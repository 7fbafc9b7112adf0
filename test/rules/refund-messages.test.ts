import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import type { PaymentRecord, RefundRecord } from "../../src/rules/payments/payment-records.ts";
import { decideRefundMessage } from "../../src/rules/refunds/refund-message.ts";
import { dataOf, types } from "../payments/order-fixtures.ts";
import {
  alertOf,
  atProvider,
  booked,
  message,
  minute,
  now,
  order,
  refundOf,
  where,
  withRefundsOf,
} from "./refund-fixtures.ts";

const shop = withRefundsOf();

describe("a provider's message about a refund is found by the money", () => {
  const { money } = message();

  test.each([
    ["the same gateway, account and id", money, "applied"],
    ["another gateway", { ...money, gateway: "other" }, "unknown_payment"],
    ["another account", { ...money, account: "acct_2" }, "unknown_payment"],
    ["another id", { ...money, payment_reference: "other" }, "unknown_payment"],
  ])("%s", (_name, sender, outcome) => {
    const decision = decideRefundMessage(shop, message({}, { money: sender }), false);
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes === null).toBe(outcome === "unknown_payment");
  });

  test.each([
    ["no order", { ...shop, order: null }],
    ["no money", { ...shop, payments: [] }],
  ])("with %s nothing is written", (_name, snapshot) => {
    expect(decideRefundMessage(snapshot, message(), false)).toEqual({
      result: { outcome: "unknown_payment" },
      changes: null,
    });
  });

  test("the same message counts once", () => {
    expect(decideRefundMessage(shop, message(), true)).toEqual({
      result: { outcome: "unchanged", order },
      changes: null,
    });
  });

  test("an amount of another currency is not booked: the owner is told", () => {
    expect(decideRefundMessage(shop, message({}, { currency: "USD" }), false)).toEqual({
      result: { outcome: "mismatch", order },
      changes: orderChanges({
        order,
        alerts: [
          alertOf({
            id: "alr_1",
            type: "refund_mismatch",
            subject: order.id,
            data: { reference: "re_1", amount: 500, currency: "USD" },
            created_at: now + 1,
          }),
        ],
      }),
    });
  });
});

describe("an unknown refund was made at the provider", () => {
  const recorded: RefundRecord = {
    ...where,
    id: "rf_new",
    attempt_id: booked.attempt_id,
    reference: "rf_new",
    state: "succeeded",
    amount: 500,
    reason: null,
    moved: "by_gateway",
    gateway: "sandbox",
    account: null,
    attempt_reference: null,
    payment_reference: "money",
    provider_reference: "re_1",
    failure_reason: null,
    key_attempt: 0,
    requested_at: null,
    acknowledged: true,
    asks_first: false,
    check_at: null,
    succeeded_at: now + 1,
    created_at: now + 1,
    updated_at: now + 1,
  };

  test("it is booked in full, with its event", () => {
    const decision = decideRefundMessage(shop, message(), false);
    expect(decision.changes?.refunds).toEqual([recorded]);
    expect(decision.changes?.order).toMatchObject({
      status: "partially_refunded",
      amount_refunded: 500,
      amount_refunding: 0,
    });
    expect(types(decision)).toEqual(["order.refunded"]);
    expect(dataOf(decision, 0)).toMatchObject({
      previous_status: "paid",
      refund: { id: "rf_new", amount: 500 },
    });
    expect(decision.result).toEqual({ outcome: "applied", order: decision.changes?.order });
  });

  test("while it is pending its amount is on its way, and it is asked about", () => {
    const decision = decideRefundMessage(shop, message({ status: "pending" }), false);
    expect(decision.changes?.refunds).toEqual([
      { ...recorded, state: "pending", check_at: now + 1 + minute, succeeded_at: null },
    ]);
    expect(decision.changes?.order).toMatchObject({ status: "paid", amount_refunding: 500 });
    expect(types(decision)).toEqual([]);
  });

  test("that has failed at once writes neither event nor alert: no money went back", () => {
    const report = { status: "failed", failure_reason: "closed" } as const;
    const decision = decideRefundMessage(shop, message(report), false);
    expect(decision.changes?.refunds).toEqual([
      {
        ...recorded,
        state: "failed",
        acknowledged: true,
        failure_reason: "closed",
        succeeded_at: null,
      },
    ]);
    expect([types(decision), decision.changes?.alerts]).toEqual([[], []]);
  });

  test("keeps the account of its money", () => {
    const money = { ...booked, account: "acct_1", attempt_id: "pay_7" };
    const named = message({}, { money: { ...message().money, account: "acct_1" } });
    const decision = decideRefundMessage({ ...shop, payments: [money] }, named, false);
    expect(decision.changes?.refunds).toMatchObject([
      { account: "acct_1", attempt_id: "pay_7", gateway: "sandbox" },
    ]);
  });
});

describe("the refund that a message is about", () => {
  const named = (provider_reference: string | null) => refundOf("a", { provider_reference });
  const moved = (reference: string) =>
    refundOf(reference, { id: "rf_a", moved: "by_host", state: "succeeded", check_at: null });

  test.each<[string, readonly RefundRecord[], string | null, string]>([
    ["our id, before the provider named it", [named(null)], "rf_a", "rf_a"],
    ["our id, and the provider's", [named("re_1")], "rf_a", "rf_a"],
    ["our id, among others without a name", [refundOf("b"), named(null)], "rf_a", "rf_a"],
    ["our id, which the provider has refused before", [named("re_0")], "rf_a", "rf_new"],
    ["an id of another order", [named(null)], "rf_other", "rf_new"],
    ["no id of ours", [named(null)], null, "rf_new"],
    ["the provider's id alone", [refundOf("b"), named("re_1")], null, "rf_a"],
    ["the provider's id under another one of ours", [named("re_1")], "rf_other", "rf_a"],
    ["the name that the host gave it", [refundOf("b"), moved("re_1")], null, "rf_a"],
    ["a name that the host gave another one", [moved("re_0")], null, "rf_new"],
    ["a caller's name of a refund by the gateway", [refundOf("re_1")], null, "rf_new"],
  ])("%s", (_name, refunds, refund_id, found) => {
    const decision = decideRefundMessage(
      withRefundsOf(...refunds),
      message({}, { refund_id }),
      false,
    );
    expect(decision.result.outcome).toBe("applied");
    expect(decision.changes?.refunds.map(({ id }) => id)).toEqual([found]);
  });

  test("that failed under way gives its amount back, with an event and an alert", () => {
    const before = withRefundsOf(refundOf("a"));
    const failed = message({ status: "failed" }, { refund_id: "rf_a" });
    const decision = decideRefundMessage(before, failed, false);
    expect(decision.changes?.order).toMatchObject({ status: "paid", amount_refunding: 0 });
    expect(types(decision)).toEqual(["order.refund_failed"]);
    expect(decision.changes?.alerts.map(({ type }) => type)).toEqual(["refund_failed"]);
  });

  test("pending first and succeeded then is one refund, booked once", () => {
    const before = withRefundsOf(atProvider("1"));
    const decision = decideRefundMessage(before, message(), false);
    expect(decision.changes?.refunds).toMatchObject([{ id: "rf_1", state: "succeeded" }]);
    expect(decision.changes?.order).toMatchObject({ amount_refunded: 500, amount_refunding: 0 });
    expect(types(decision)).toEqual(["order.refunded"]);
  });

  test("in another message with the same result changes nothing", () => {
    const before = withRefundsOf(atProvider("1", { state: "succeeded", succeeded_at: now }));
    expect(decideRefundMessage(before, message(), false)).toEqual({
      result: { outcome: "unchanged", order: before.order },
      changes: null,
    });
  });
});

describe("a refund of money that does not pay the order", () => {
  const withMoney = (changes: Partial<PaymentRecord>): OrderSnapshot => ({
    ...shop,
    payments: [{ ...booked, ...changes }],
  });
  const older = { reference: "re_1", amount: 500, state: "succeeded" } as const;

  test.each([
    ["duplicate", "duplicate"],
    ["unapplied", "unapplied"],
    ["returning", "returning"],
    ["return_failed", "return_failed"],
  ] as const)("counts for that money alone, which is %s", (state, after) => {
    const decision = decideRefundMessage(withMoney({ state }), message(), false);
    expect(decision.result).toEqual({ outcome: "applied", order });
    expect(decision.changes).toEqual(
      orderChanges({
        order,
        payments: [{ ...booked, state: after, sent_back: [older], updated_at: now + 1 }],
      }),
    );
  });

  test("and that was told of before the money paid never counts for the order", () => {
    const before = withMoney({ sent_back: [{ ...older, reference: "re_0" }, older] });
    const decision = decideRefundMessage(before, message({ status: "failed" }), false);
    expect(decision.changes).toMatchObject({
      order: { amount_refunded: 0 },
      refunds: [],
      payments: [{ state: "booked", sent_back: [{ reference: "re_0" }, { state: "failed" }] }],
    });
  });

  test("leaves the next refund of the money, once it pays, to the order", () => {
    const before = withMoney({ sent_back: [{ ...older, reference: "re_0" }] });
    const decision = decideRefundMessage(before, message(), false);
    expect(decision.changes).toMatchObject({
      order: { amount_refunded: 500 },
      refunds: [{ id: "rf_new" }],
      payments: [],
    });
  });
});
