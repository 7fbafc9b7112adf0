import { describe, expect, test } from "vitest";
import type { RefundRecord } from "../../src/rules/payments/payment-records.ts";
import { decideRefund } from "../../src/rules/refunds/order-refund.ts";
import type { RefundReservation } from "../../src/rules/refunds/refund-commands.ts";
import { paid, types } from "../payments/order-fixtures.ts";
import {
  atProvider,
  attempt,
  booked,
  minute,
  now,
  order,
  refundOf,
  reserve,
  withRefundsOf,
} from "./refund-fixtures.ts";

describe("the reservation of a refund", () => {
  const unresolved = refundOf("a", { check_at: null });

  test.each<[string, readonly RefundRecord[], RefundReservation, string]>([
    ["by its own id", [refundOf("a", { reference: "x" })], reserve("a", 500), "unchanged"],
    ["by the caller's id", [refundOf("b", { reference: "a" })], reserve("a", 500), "unchanged"],
    ["by the provider's id", [atProvider("a")], reserve("re_a", 500), "unchanged"],
    ["by another id of the provider", [atProvider("a")], reserve("re_b", 500), "reserved"],
    [
      "by the provider's id of a refund of the caller's",
      [refundOf("a", { provider_reference: "re_a" })],
      reserve("re_a", 500),
      "reserved",
    ],
    [
      "in doubt, moved by the host",
      [unresolved],
      reserve("a", 500, { moved_by_host: true }),
      "refunded",
    ],
    ["in doubt, asked for again", [unresolved], reserve("a", 500), "unchanged"],
    [
      "that is asked about, moved by the host",
      [refundOf("a")],
      reserve("a", 500, { moved_by_host: true }),
      "unchanged",
    ],
    [
      "that has a result, moved by the host",
      [refundOf("a", { state: "succeeded", check_at: null, succeeded_at: now })],
      reserve("a", 500, { moved_by_host: true }),
      "unchanged",
    ],
    ["that was refused", [refundOf("a", { state: "failed" })], reserve("a", 500), "reserved"],
    [
      "that failed after the provider had it",
      [refundOf("a", { state: "failed", acknowledged: true })],
      reserve("a", 500),
      "unchanged",
    ],
    [
      "of the host's that failed",
      [refundOf("a", { state: "failed", moved: "by_host" })],
      reserve("a", 500),
      "unchanged",
    ],
  ])("finds a known one or not: %s", (_name, refunds, command, outcome) => {
    expect(decideRefund(withRefundsOf(...refunds), command).result.outcome).toBe(outcome);
  });

  test.each([
    ["that the gateway moves", false, "paid"],
    ["that the host has moved", true, "partially_refunded"],
  ])("%s is counted beside the others", (_name, moved_by_host, status) => {
    const before = withRefundsOf(refundOf("b", { amount: 300 }));
    const { result } = decideRefund(before, reserve("a", 500, { moved_by_host }));
    expect(result).toMatchObject({
      order: {
        status,
        amount_refunding: moved_by_host ? 300 : 800,
        amount_refunded: moved_by_host ? 500 : 0,
      },
    });
  });

  test("in doubt that the host has moved is written with its event", () => {
    const decision = decideRefund(
      withRefundsOf(unresolved),
      reserve("a", 500, { moved_by_host: true }),
    );
    expect(decision.changes?.refunds).toMatchObject([
      { id: "rf_a", state: "succeeded", moved: "by_host", succeeded_at: now },
    ]);
    expect(types(decision)).toEqual(["order.refunded"]);
  });

  test("again, after a refusal, is asked about under its key first", () => {
    const refused = refundOf("a", { state: "failed", failure_reason: "closed", requested_at: 1 });
    for (const sent_now of [true, false]) {
      const command = reserve("a", null, { sent_now, now: now + 5 });
      const decision = decideRefund(withRefundsOf(refused), command);
      expect(decision.changes?.refunds).toEqual([
        {
          ...refused,
          state: "pending",
          failure_reason: null,
          asks_first: true,
          requested_at: now + 5,
          check_at: now + 5 + minute,
          updated_at: now + 5,
        },
      ]);
    }
  });

  test.each([
    ["partially_refunded", "reserved"],
    ["refunded", "invalid_transition"],
    ["chargeback", "invalid_transition"],
    ["failed", "invalid_transition"],
  ] as const)("of an order that is %s: %s", (status, outcome) => {
    const snapshot = { ...paid, order: { ...order, status } };
    expect(decideRefund(snapshot, reserve("a", 500)).result.outcome).toBe(outcome);
  });

  const failed = { ...attempt, id: "pay_0", state: "failed" } as const;

  test.each([
    [
      "the money that pays the order",
      [booked],
      { reference: "cs_1", payment_reference: "pi_1" },
      "money",
    ],
    ["the money of the attempt", [], { reference: "cs_1", payment_reference: "pi_1" }, "pi_1"],
    ["what the attempt asked for", [], { reference: "cs_1", payment_reference: null }, "cs_1"],
    [
      "what the attempt asked for, beside a duplicate",
      [{ ...booked, state: "duplicate" as const }],
      { reference: "cs_1", payment_reference: null },
      "cs_1",
    ],
  ])("names %s", (_name, payments, names, payment_reference) => {
    const account = "acct_1";
    const attempts = [failed, { ...attempt, ...names, account }];
    const decision = decideRefund({ ...paid, attempts, payments }, reserve("a", 500));
    expect(decision.changes?.refunds).toMatchObject([
      {
        attempt_id: attempt.id,
        account,
        attempt_reference: "cs_1",
        payment_reference,
        gateway: "sandbox",
      },
    ]);
  });

  test("of a payment without a reference is refused", () => {
    const snapshot = { ...paid, attempts: [{ ...attempt, reference: null }] };
    expect(decideRefund(snapshot, reserve("a", 500)).result.outcome).toBe("no_reference");
  });

  test.each([
    ["the host's own code took", [{ ...attempt, gateway: "host" }], false, "refunded", attempt.id],
    ["nobody took, but the host refunds", [], true, "refunded", null],
    ["nobody took", [], false, "no_gateway", undefined],
  ])("of a payment that %s", (_name, attempts, moved_by_host, outcome, attempt_id) => {
    const decision = decideRefund({ ...paid, attempts }, reserve("a", 500, { moved_by_host }));
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes?.refunds[0]?.attempt_id).toBe(attempt_id);
    if (attempt_id !== undefined)
      expect(decision.changes?.refunds).toMatchObject([
        { moved: "by_host", gateway: null, requested_at: null, check_at: null },
      ]);
  });

  test("of a payment without any id names none", () => {
    const decision = decideRefund(
      { ...paid, attempts: [] },
      reserve("a", 500, { moved_by_host: true }),
    );
    expect(decision.changes?.refunds).toMatchObject([
      { account: null, attempt_reference: null, payment_reference: null },
    ]);
  });
});
