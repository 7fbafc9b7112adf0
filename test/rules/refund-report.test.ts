import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { RefundRecord } from "../../src/rules/payments/payment-records.ts";
import type { RefundReport, RefundSettlement } from "../../src/rules/refunds/refund-commands.ts";
import { decideRefundMessage } from "../../src/rules/refunds/refund-message.ts";
import { decideRefundResult } from "../../src/rules/refunds/refund-settlement.ts";
import { withRefunds } from "../../src/rules/refunds/refund-sums.ts";
import { dataOf, types } from "../payments/order-fixtures.ts";
import {
  alertOf,
  atProvider,
  hour,
  message,
  minute,
  now,
  order,
  refundOf,
  settle,
  withRefundsOf,
} from "./refund-fixtures.ts";

const later = now + hour;
const newsOf = (
  status: RefundReport["status"],
  changes: Partial<RefundReport> = {},
): RefundReport => ({
  status,
  reference: "re_a",
  amount: null,
  failure_reason: "closed",
  ...changes,
});

/** The answer about the refund `rf_a` among the others of its order. */
const answer = (
  refund: RefundRecord,
  report: RefundSettlement["report"],
  changes: Partial<RefundSettlement> = {},
  others: readonly RefundRecord[] = [],
) =>
  decideRefundResult(
    withRefundsOf(refund, ...others),
    settle("a", "pending", { report, now: later, ...changes }),
  );

const succeeded: Partial<RefundRecord> = {
  state: "succeeded",
  acknowledged: true,
  provider_reference: "re_a",
  check_at: null,
  succeeded_at: now,
};
const failed: Partial<RefundRecord> = { ...succeeded, state: "failed", succeeded_at: null };

describe("the result of a refund", () => {
  test.each<
    [string, Partial<RefundRecord>, RefundReport, boolean, Partial<RefundRecord>, readonly string[]]
  >([
    [
      "pending: it is acknowledged, and asked about again",
      {},
      newsOf("pending"),
      false,
      {
        acknowledged: true,
        provider_reference: "re_a",
        check_at: later + hour,
        failure_reason: null,
      },
      [],
    ],
    [
      "succeeded: it is booked with its time",
      {},
      newsOf("succeeded"),
      false,
      { ...succeeded, succeeded_at: later, failure_reason: null },
      ["order.refunded"],
    ],
    [
      "succeeded with another amount: that amount is booked",
      {},
      newsOf("succeeded", { amount: 400, reference: null }),
      false,
      { ...succeeded, amount: 400, provider_reference: null, succeeded_at: later },
      ["order.refunded"],
    ],
    [
      "succeeded without the provider's id: an earlier one stays",
      { provider_reference: "re_0" },
      newsOf("succeeded", { reference: null }),
      false,
      { ...succeeded, provider_reference: "re_0", succeeded_at: later },
      ["order.refunded"],
    ],
    [
      "refused within the call: the call tells of it, and nothing else",
      {},
      newsOf("failed"),
      true,
      { ...failed, acknowledged: false, failure_reason: "closed" },
      [],
    ],
    [
      "failed later",
      {},
      newsOf("failed"),
      false,
      { ...failed, acknowledged: false, failure_reason: "closed" },
      ["order.refund_failed", "refund_failed"],
    ],
    [
      "failed within a call, after the provider had it",
      { acknowledged: true },
      newsOf("failed"),
      true,
      { ...failed, failure_reason: "closed" },
      ["order.refund_failed", "refund_failed"],
    ],
    [
      "failed after its success",
      succeeded,
      newsOf("failed"),
      false,
      { ...failed, failure_reason: "closed" },
      ["order.refund_failed", "refund_failed"],
    ],
  ])("%s", (_name, before, report, within_call, after, told) => {
    const decision = answer(refundOf("a", before), report, { within_call });
    const refund = { ...refundOf("a", before), ...after, updated_at: later };
    const outcomes = { pending: "pending", succeeded: "refunded", failed: "failed" } as const;
    expect(decision.result).toEqual({
      outcome: outcomes[report.status],
      order: withRefunds(order, [refund], later),
      refund,
    });
    const alerts = decision.changes?.alerts.map(({ type }) => type) ?? [];
    expect([...(types(decision) ?? []), ...alerts]).toEqual(told);
    expect(decision.changes).toMatchObject({
      order: withRefunds(order, [refund], later),
      refunds: [refund],
    });
  });

  test.each<[string, Partial<RefundRecord>, RefundSettlement["report"]]>([
    ["a success after a failure", failed, newsOf("succeeded")],
    ["a failure after a failure", failed, newsOf("failed")],
    ["a pending answer after a failure", failed, newsOf("pending")],
    ["a second success", succeeded, newsOf("succeeded")],
    ["a pending answer after a success", succeeded, newsOf("pending")],
    [
      "another id of the provider after a success",
      succeeded,
      newsOf("succeeded", { reference: "re_b" }),
    ],
    [
      "a success without an id after one without an id",
      { ...succeeded, provider_reference: null },
      newsOf("succeeded", { reference: null }),
    ],
    ["no answer after a success", succeeded, "no_answer"],
    ["giving up after a failure", failed, "given_up"],
    ["a sending after a success", succeeded, "sending"],
  ])("changes nothing with %s", (_name, before, report) => {
    const refund = refundOf("a", before);
    expect(answer(refund, report)).toEqual({
      result: { outcome: "unchanged", order: withRefundsOf(refund).order, refund },
      changes: null,
    });
  });

  test("gives a refund that the host has booked the provider's id, and no event", () => {
    const byHost = refundOf("a", { ...succeeded, moved: "by_host", provider_reference: null });
    const before = withRefundsOf(byHost);
    const refund = { ...byHost, provider_reference: "re_a", updated_at: later };
    expect(answer(byHost, newsOf("succeeded"))).toEqual({
      result: { outcome: "refunded", order: before.order, refund },
      changes: orderChanges({ order: before.order, refunds: [refund] }),
    });
  });

  test.each([
    ["order", { ...withRefundsOf(refundOf("a")), order: null }, "unknown_order"],
    ["refund", withRefundsOf(refundOf("b")), "unknown_refund"],
  ])("of an unknown %s writes nothing", (_name, snapshot, outcome) => {
    expect(decideRefundResult(snapshot, settle("a", "succeeded"))).toEqual({
      result: { outcome },
      changes: null,
    });
  });

  test("that failed tells the event and the owner the amount and the reason", () => {
    const others = [refundOf("b", { ...succeeded, amount: 700, provider_reference: "re_b" })];
    const decision = answer(refundOf("a", succeeded), newsOf("failed"), {}, others);
    expect(dataOf(decision, 0)).toMatchObject({
      order: { status: "partially_refunded", amount_refunded: 700 },
      previous_status: "partially_refunded",
      refund: { id: "rf_a", amount: 500, failure_reason: "closed" },
    });
    expect(decision.changes?.alerts).toEqual([
      alertOf({
        id: "alr_2",
        type: "refund_failed",
        subject: "rf_a",
        data: { reference: "re_a", amount: 500, failure_reason: "closed" },
        created_at: later,
      }),
    ]);
  });
});

describe("a refund without a result", () => {
  test.each([
    ["sending", null, later, later + minute],
    ["sending", now, now, later + hour],
    ["no_answer", null, null, later + hour],
    ["no_answer", now, now, later + hour],
    ["given_up", null, null, null],
    ["given_up", now, now, null],
  ] as const)("%s, first sent at %j: sent at %j, asked about at %j", (...row) => {
    const [report, requested_at, sent_at, check_at] = row;
    const before = refundOf("a", { requested_at, provider_reference: "re_0" });
    const refund = { ...before, requested_at: sent_at, check_at, updated_at: later };
    const alert = alertOf({
      id: "alr_1",
      type: "money_in_doubt",
      subject: "rf_a",
      data: { reference: "re_0", amount: 500 },
      created_at: later,
    });
    const reserved = withRefundsOf(before).order;
    expect(answer(before, report)).toEqual({
      result: { outcome: "pending", order: reserved, refund },
      changes: orderChanges({
        order: reserved,
        refunds: [refund],
        alerts: report === "given_up" ? [alert] : [],
      }),
    });
  });

  test("is asked about after a minute at the earliest", () => {
    const asked = answer(refundOf("a"), "no_answer", { now: now + 1 });
    expect(asked.result).toMatchObject({ refund: { check_at: now + 1 + minute } });
  });
});

describe("a refund beyond what was left of the order", () => {
  const done = (amount: number) => refundOf("b", { ...succeeded, amount, provider_reference: "b" });
  const onItsWay = (amount: number) => refundOf("c", { amount });

  test.each<[string, readonly RefundRecord[], number, boolean]>([
    ["exactly the order's total", [done(1_500)], 500, false],
    ["one unit above it", [done(1_501)], 500, true],
    ["exactly the total, with what is on its way", [onItsWay(1_500)], 500, false],
    ["one unit above it, with what is on its way", [onItsWay(1_501)], 500, true],
    ["above a total that was exceeded before", [done(2_001)], 500, true],
  ])("that a message tells of: %s", (_name, refunds, amount, isTold) => {
    const decision = decideRefundMessage(withRefundsOf(...refunds), message({ amount }), false);
    expect(decision.changes?.alerts).toEqual(
      isTold
        ? [
            alertOf({
              id: "alr_1",
              type: "refund_exceeds_order",
              subject: "rf_new",
              data: { reference: "re_1", amount },
              created_at: now + 1,
            }),
          ]
        : [],
    );
  });

  test.each<[string, readonly RefundRecord[], number, boolean]>([
    ["with its own amount", [done(1_500)], 500, false],
    ["with a larger amount", [done(1_500)], 501, true],
    ["with a larger amount below the total", [done(1_400)], 600, false],
    ["with its own amount, above a total that was exceeded before", [done(2_000)], 500, false],
    ["with a smaller amount, above such a total", [done(2_000)], 400, false],
  ])("that its answer tells of %s", (_name, others, amount, isTold) => {
    const decision = answer(refundOf("a"), newsOf("succeeded", { amount }), {}, others);
    const alerts = decision.changes?.alerts.map(({ type }) => type);
    expect(alerts).toEqual(isTold ? ["refund_exceeds_order"] : []);
  });
});

describe("our own refund that a message told of before its answer came", () => {
  const twinOf = (changes: Partial<RefundRecord> = {}) =>
    atProvider("twin", { provider_reference: "re_a", updated_at: now + 1, ...changes });
  const counted = { state: "succeeded", succeeded_at: now + 1 } as const;
  const merged = {
    ...twinOf(),
    state: "failed",
    provider_reference: null,
    failure_reason: "This is refund rf_a.",
    check_at: null,
    succeeded_at: null,
    updated_at: later,
  };

  test.each<
    [
      string,
      Partial<RefundRecord>,
      RefundReport["status"],
      Partial<RefundRecord>,
      readonly string[],
    ]
  >([
    ["booked, and succeeded", counted, "succeeded", counted, []],
    ["booked, and pending", counted, "pending", counted, []],
    [
      "booked, and failed",
      counted,
      "failed",
      { state: "failed", failure_reason: "closed" },
      ["order.refund_failed", "refund_failed"],
    ],
    ["pending, and pending", {}, "pending", { check_at: later + hour }, []],
    [
      "pending, and succeeded",
      {},
      "succeeded",
      { state: "succeeded", succeeded_at: later },
      ["order.refunded"],
    ],
    [
      "failed, and succeeded",
      { state: "failed", failure_reason: "blocked" },
      "succeeded",
      { state: "failed", failure_reason: "blocked" },
      ["order.refund_failed", "refund_failed"],
    ],
  ])("%s: the answer makes the two one", (_name, twin, status, after, told) => {
    const before = withRefundsOf(refundOf("a", { amount: 600 }), twinOf(twin));
    const decision = decideRefundResult(
      before,
      settle("a", status, { report: newsOf(status), now: later, within_call: true }),
    );

    const isPending = after.state === undefined;
    const ours = {
      ...refundOf("a"),
      provider_reference: "re_a",
      acknowledged: true,
      check_at: null,
      ...after,
      updated_at: later,
    };
    expect(decision.changes?.refunds).toEqual([merged, ours]);
    const outcome = after.state === "succeeded" ? "refunded" : (after.state ?? "pending");
    const merging = withRefunds(order, [merged as RefundRecord, ours], later);
    expect(decision.result).toEqual({ outcome, order: merging, refund: ours });
    expect(decision.changes?.order).toEqual(merging);
    expect(merging.amount_refunding).toBe(isPending ? 500 : 0);

    const alerts = decision.changes?.alerts.map(({ type }) => type) ?? [];
    expect([...(types(decision) ?? []), ...alerts]).toEqual(told);
  });

  test.each<[string, readonly RefundRecord[], string | null]>([
    ["another refund of ours", [refundOf("b")], "re_a"],
    [
      "another refund of ours with that id of the provider",
      [refundOf("b", { provider_reference: "re_a" })],
      "re_a",
    ],
    ["another refund that was made at the provider", [atProvider("b")], "re_a"],
    ["an answer without the provider's id", [atProvider("b", { provider_reference: null })], null],
  ])("is not taken for one with %s", (_name, others, reference) => {
    const decision = answer(refundOf("a"), newsOf("succeeded", { reference }), {}, others);
    expect(decision.changes?.refunds.map(({ id }) => id)).toEqual(["rf_a"]);
    expect(types(decision)).toEqual(["order.refunded"]);
  });
});

test("a refund that fails after all gives a key to what waited for one when it was taken back", () => {
  const content = {
    type: "license_key",
    key_hash: null,
    sealed_key: null,
    last4: null,
  } as const;
  const waiting = {
    ...{ id: "ent_a", item_id: "item_a", product_id: "prod_a", quantity: 1 },
    ...{ content, granted_at: now, revoked_at: now },
  };
  const whole = refundOf("a", { ...succeeded, amount: 2_000 });
  const found = withRefundsOf(whole);
  if (!found.order) throw new Error("The fixture has an order.");
  const key = { id: "key_a", key_hash: "hash", sealed_key: "sealed", last4: "0001" };
  const snapshot = {
    ...found,
    order: { ...found.order, entitlements: [waiting] },
    pools: new Map([["prod_a", [key]]]),
  };

  const { changes } = decideRefundResult(
    snapshot,
    settle("a", "failed", { report: newsOf("failed"), now: later }),
  );
  expect(changes?.order?.entitlements).toMatchObject([
    { revoked_at: null, granted_at: later, content: { key_hash: "hash", sealed_for: "key_a" } },
  ]);
  expect(changes).toMatchObject({
    taken_keys: [{ product_id: "prod_a", key_hash: "hash", entitlement_id: "ent_a" }],
    withdrawn: [{ type: "key_pool_empty" }],
  });
});

describe("the sums of an order's refunds", () => {
  const at = (succeeded_at: number | null, changes: Partial<RefundRecord> = {}) =>
    refundOf(String(succeeded_at), { ...succeeded, succeeded_at, ...changes });

  test.each<[string, readonly RefundRecord[], number | null]>([
    ["no refund", [], null],
    ["one refund", [at(5)], 5],
    ["several, the latest in between", [at(5), at(9), at(7)], 9],
    ["one that failed later", [at(5), at(9, { state: "failed" })], 5],
    ["only one that failed", [at(9, { state: "failed" })], null],
    ["one on its way", [at(null, { state: "pending" })], null],
    ["one of an unknown time", [at(null)], null],
  ])("show the time of the last one that stays: %s", (_name, refunds, time) => {
    expect(withRefunds(order, refunds, now).refunded_at).toBe(time);
  });

  test.each([
    [0, "paid"],
    [1, "partially_refunded"],
    [1_999, "partially_refunded"],
    [2_000, "refunded"],
    [2_001, "refunded"],
    [Number.MAX_SAFE_INTEGER, "refunded"],
  ])("of %d make the order %s", (amount, status) => {
    const after = withRefunds(order, [at(5, { amount })], now);
    expect(after).toMatchObject({ status, amount_refunded: amount, status_before_dispute: null });
    const disputed = withRefunds({ ...order, status: "chargeback" }, [at(5, { amount })], now);
    expect(disputed).toMatchObject({ status: "chargeback", status_before_dispute: status });
  });
});
