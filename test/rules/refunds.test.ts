import { describe, expect, test } from "vitest";
import { decideDispute, decideDisputeClosed } from "../../src/rules/disputes/order-dispute.ts";
import { decideRefund } from "../../src/rules/refunds/order-refund.ts";
import { decideRefundResult } from "../../src/rules/refunds/refund-settlement.ts";
import { refundBalance, withRefunds } from "../../src/rules/refunds/refund-sums.ts";
import { paid, pending, types } from "../payments/order-fixtures.ts";
import {
  closing,
  minute,
  now,
  opening,
  order,
  reserve,
  settle,
  written,
} from "./refund-fixtures.ts";

const reserved = written(paid, decideRefund(paid, reserve("a", 500)));

describe("what may still be refunded", () => {
  test.each([
    [2_000, 0, 0, 2_000],
    [2_000, 500, 500, 1_000],
    [2_000, 2_000, 0, 0],
    [2_000, 1_500, 600, 0],
  ])("of %d with %d back and %d on its way is %d", (total, back, onItsWay, left) => {
    const totals = { amount_total: total, amount_refunded: back, amount_refunding: onItsWay };
    expect(refundBalance(totals)).toBe(left);
  });

  test.each([
    ["one unit too much", 2_001, "exceeds_balance"],
    ["exactly all", 2_000, "reserved"],
    ["all that is left", null, "reserved"],
    ["one unit", 1, "reserved"],
    ["nothing", 0, "exceeds_balance"],
  ] as const)("a refund of %s is %j: %s", (_name, amount, outcome) => {
    expect(decideRefund(paid, reserve("a", amount)).result.outcome).toBe(outcome);
  });

  test("what is on its way is not refunded twice", () => {
    expect(decideRefund(reserved, reserve("b", 1_501)).result.outcome).toBe("exceeds_balance");
    expect(decideRefund(reserved, reserve("b", null)).result).toMatchObject({
      outcome: "reserved",
      refund: { amount: 1_500 },
    });
  });
});

describe("the reservation of a refund", () => {
  test("is pending, sent now, asked about in a minute, and writes no event", () => {
    const decision = decideRefund(paid, reserve("a", 500));
    expect(decision.result).toMatchObject({
      refund: {
        state: "pending",
        amount: 500,
        moved: "by_gateway",
        gateway: "sandbox",
        key_attempt: 0,
        requested_at: now,
        acknowledged: false,
        check_at: now + minute,
        succeeded_at: null,
        created_at: now,
        updated_at: now,
      },
      order: { status: "paid", amount_refunded: 0, amount_refunding: 500, updated_at: now },
    });
    expect(types(decision)).toEqual([]);
  });

  test("inside the host's transaction is not sent yet", () => {
    const { result } = decideRefund(paid, reserve("a", 500, { sent_now: false }));
    expect(result).toMatchObject({ refund: { requested_at: null, check_at: now + minute } });
  });

  test("that the host has moved is booked, with its time and its event", () => {
    const decision = decideRefund(paid, reserve("a", 2_000, { moved_by_host: true }));
    expect(decision.result).toMatchObject({
      outcome: "refunded",
      refund: {
        state: "succeeded",
        moved: "by_host",
        gateway: null,
        succeeded_at: now,
        check_at: null,
      },
      order: { status: "refunded", amount_refunded: 2_000, refunded_at: now },
    });
    expect(types(decision)).toEqual(["order.refunded"]);
  });

  test.each([
    ["the same amount", 500, "unchanged"],
    ["no amount", null, "unchanged"],
    ["another amount", 501, "different_amount"],
  ] as const)("under a used reference with %s is %s", (_name, amount, outcome) => {
    expect(decideRefund(reserved, reserve("a", amount)).result.outcome).toBe(outcome);
  });

  test("of a gateway that cannot refund, or of an unpaid order, is refused", () => {
    expect(decideRefund(paid, reserve("a", 500, { refunding: [] })).result.outcome).toBe(
      "no_gateway",
    );
    expect(decideRefund(pending, reserve("a", 500)).result.outcome).toBe("invalid_transition");
    expect(decideRefund({ ...paid, order: null }, reserve("a", 500)).result.outcome).toBe(
      "unknown_order",
    );
  });

  test("that the gateway refused is tried again once it was asked about the first key", () => {
    const refused = written(
      reserved,
      decideRefundResult(reserved, settle("a", "failed", { within_call: true })),
    );
    expect(refused.order).toMatchObject({ amount_refunding: 0, status: "paid" });
    expect(decideRefund(refused, reserve("a", 500)).result).toMatchObject({
      outcome: "reserved",
      refund: { key_attempt: 0, state: "pending", failure_reason: null, asks_first: true },
    });
  });
});

describe("a refund that is settled", () => {
  test.each([
    [500, "partially_refunded"],
    [2_000, "refunded"],
  ])("of %d makes the order %s", (amount, status) => {
    const before = written(paid, decideRefund(paid, reserve("a", amount)));
    const decision = decideRefundResult(before, settle("a", "succeeded"));
    expect(decision.result).toMatchObject({
      outcome: "refunded",
      order: { status, amount_refunded: amount, amount_refunding: 0, refunded_at: now + 1 },
      refund: { provider_reference: "re_a", succeeded_at: now + 1, check_at: null },
    });
    expect(types(decision)).toEqual(["order.refunded"]);
  });

  test("and fails later gives the money back to the order, with an event and an alert", () => {
    const booked = written(reserved, decideRefundResult(reserved, settle("a", "succeeded")));
    const decision = decideRefundResult(booked, settle("a", "failed"));
    expect(decision.result).toMatchObject({
      outcome: "failed",
      order: { status: "paid", amount_refunded: 0, refunded_at: null },
    });
    expect(types(decision)).toEqual(["order.refund_failed"]);
    expect(decision.changes?.alerts.map(({ type }) => type)).toEqual(["refund_failed"]);
  });

  test("of an earlier key changes nothing", () => {
    const decision = decideRefundResult(reserved, settle("a", "succeeded", { key_attempt: 1 }));
    expect([decision.result.outcome, decision.changes]).toEqual(["unchanged", null]);
  });

  test("without an answer is asked about later, and at the end the owner is told", () => {
    const asked = decideRefundResult(reserved, settle("a", "pending", { report: "no_answer" }));
    expect(asked.result).toMatchObject({
      refund: { check_at: now + 1 + minute, requested_at: now },
    });
    const ended = decideRefundResult(reserved, settle("a", "pending", { report: "given_up" }));
    expect(ended.result).toMatchObject({ refund: { check_at: null, state: "pending" } });
    expect(ended.changes?.alerts.map(({ type }) => type)).toEqual(["money_in_doubt"]);
  });
});

describe("a refund and a dispute at once", () => {
  const both = written(reserved, decideDispute(reserved, opening("dp_1")));

  test("settled during the dispute, the order stays in chargeback and remembers its new status", () => {
    const decision = decideRefundResult(both, settle("a", "succeeded"));
    expect(decision.result).toMatchObject({
      order: {
        status: "chargeback",
        status_before_dispute: "partially_refunded",
        amount_refunded: 500,
      },
    });
  });

  test("won afterwards, the order has the status that the refund made", () => {
    const settled = written(both, decideRefundResult(both, settle("a", "succeeded")));
    expect(decideDisputeClosed(settled, closing("dp_1", "won")).result).toMatchObject({
      outcome: "closed",
      order: { status: "partially_refunded", status_before_dispute: null, amount_refunded: 500 },
    });
  });

  test("won before, the order is paid until the refund is settled", () => {
    const won = written(both, decideDisputeClosed(both, closing("dp_1", "won")));
    expect(won.order).toMatchObject({ status: "paid", amount_refunding: 500 });
    expect(decideRefundResult(won, settle("a", "succeeded")).result).toMatchObject({
      order: { status: "partially_refunded", status_before_dispute: null },
    });
  });

  test("sums of refunds leave alone what was before another dispute", () => {
    const after = withRefunds({ ...order, status_before_dispute: null }, [], now);
    expect(after).toMatchObject({ status: "paid", status_before_dispute: null, refunded_at: null });
  });
});
