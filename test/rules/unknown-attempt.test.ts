import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import { nextCheckOfUnknown } from "../../src/rules/payments/payment-schedule.ts";
import { failed, pendingOrder as order, stock, told, types } from "../payments/order-fixtures.ts";
import { attempt, first, report, withAttempts } from "./payment-reports.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const { now } = told("pending");

describe("a payment without a result", () => {
  test.each([
    ["waits ten minutes for the next question", {}, false, 10 * minute, first.call_ends_at],
    [
      "is asked about when it expires",
      { expires_at: now + minute },
      false,
      minute,
      first.call_ends_at,
    ],
    ["whose call was lost is asked about in a minute", {}, true, minute, now],
    ["whose call was lost and that expires sooner", { expires_at: now + 9 }, true, 9, now],
  ])("%s", (_name, changes, ends_call, wait, call_ends_at) => {
    const before = attempt(changes);
    const decision = decidePayment(withAttempts(before), report("unknown", {}, { ends_call }));
    expect(decision.result).toMatchObject({
      outcome: "pending",
      order: { status: "pending" },
      attempt: { state: "in_flight", check_at: now + wait, call_ends_at },
    });
  });

  test.each([
    ["a millisecond before it expires", now + 1, "pending"],
    ["in the millisecond in which it expires", now, "failed"],
    ["after it has expired", now - 1, "failed"],
  ])("keeps its order pending until its time is over: %s", (_name, expires_at, outcome) => {
    // A later time in the report itself does not prolong an attempt that is over.
    const news = { expires_at: now + day };
    const decision = decidePayment(withAttempts(attempt({ expires_at })), report("pending", news));
    expect(decision.result.outcome).toBe(outcome);
    if (outcome === "pending") return;

    expect(decision.result).toMatchObject({
      order: { status: "failed", failure_code: "expired", holds: "none" },
      attempt: { state: "unknown", expires_at, updated_at: now },
    });
    expect(decision.changes?.stock).toEqual(stock(0, -2));
    expect(decision.changes?.alerts).toEqual([]);
    expect(types(decision)).toEqual(["order.failed"]);
  });

  test.each([
    [
      "another one is in flight",
      withAttempts(attempt({ expires_at: now }), attempt({ id: "pay_2" })),
    ],
    ["the order is settled", { ...failed, attempts: [attempt({ expires_at: now })] }],
  ])("ends alone when %s", (_name, snapshot) => {
    const decision = decidePayment(snapshot, report("unknown"));
    const unknown = {
      state: "unknown",
      check_at: nextCheckOfUnknown(attempt({ expires_at: now }), now),
    };
    expect(decision.result).toMatchObject({ outcome: "unchanged", attempt: unknown });
    expect(decision.changes).toEqual(
      orderChanges({
        order: snapshot.order,
        attempts: [expect.objectContaining({ id: "pay_1", ...unknown })],
      }),
    );
  });

  const asUnknown = attempt({ state: "unknown", expires_at: now - hour, check_at: now, asked: 3 });
  const lastAlert = {
    id: "alr_1",
    store_id: order.store_id,
    livemode: order.livemode,
    type: "payment_in_doubt",
    subject: "pay_1",
    data: { order_id: order.id, reference: "ref", amount: 2_000, currency: "BRL" },
    created_at: now,
  };

  test("is asked about on its own schedule once its time is over", () => {
    const decision = decidePayment(withAttempts(asUnknown), report("unknown", { expires_at: now }));
    const asked = {
      ...asUnknown,
      reference: "ref",
      asked: 4,
      check_at: nextCheckOfUnknown(asUnknown, now),
      updated_at: now,
    };
    expect(decision).toEqual({
      result: { outcome: "pending", order, attempt: asked },
      changes: orderChanges({ order, attempts: [asked] }),
    });
  });

  test.each([
    ["the last question was due", now, [lastAlert]],
    ["the owner was told before", null, []],
  ])("after fourteen days the owner is told once: %s", (_name, check_at, alerts) => {
    const old = { ...asUnknown, expires_at: now - 15 * day, check_at };
    const decision = decidePayment(withAttempts(old), report("unknown"));
    expect(decision.result).toMatchObject({ outcome: "pending", attempt: { check_at: null } });
    expect(decision.changes?.alerts).toEqual(alerts);
  });

  test.each([
    ["the order fails", withAttempts(attempt({ expires_at: now - 15 * day })), "failed"],
    [
      "the order is settled",
      { ...failed, attempts: [attempt({ expires_at: now - 15 * day })] },
      "unchanged",
    ],
  ])("that was looked at only after fourteen days is told too: %s", (_name, snapshot, outcome) => {
    const decision = decidePayment(snapshot, report("unknown"));
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes?.alerts).toEqual([lastAlert]);
  });
});
