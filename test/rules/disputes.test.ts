import { describe, expect, test } from "vitest";
import { decideDispute, decideDisputeClosed } from "../../src/rules/disputes/order-dispute.ts";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import type { DisputeRecord } from "../../src/rules/payments/payment-records.ts";
import { dataOf, paid, pending, types } from "../payments/order-fixtures.ts";
import {
  alertOf,
  booked,
  closing,
  message,
  now,
  opening,
  order,
  where,
  written,
} from "./refund-fixtures.ts";

const disputed = written(paid, decideDispute(paid, opening("dp_1")));

describe("disputes", () => {
  test("of the order's total are opened with their facts and times", () => {
    const decision = decideDispute(paid, opening("dp_1"));
    expect(decision.result).toMatchObject({
      outcome: "opened",
      order: { status: "chargeback", status_before_dispute: "paid", disputed_at: now },
    });
    expect(decision.changes?.disputes).toEqual([
      {
        store_id: where.store_id,
        livemode: where.livemode,
        id: "dp_1",
        order_id: where.order_id,
        payment_reference: null,
        amount: 2_000,
        reason: "fraud",
        due_by: null,
        outcome: null,
        notified: false,
        created_at: now,
        updated_at: now,
      },
    ]);
    expect(types(decision)).toEqual(["order.chargeback"]);
  });

  test.each([
    ["exactly the total", paid, 2_000, "opened"],
    ["one unit above the total", paid, 2_001, "exceeds_total"],
    ["an unpaid order", pending, null, "invalid_transition"],
    ["no order", { ...paid, order: null }, null, "unknown_order"],
  ] as const)("of %s: %j %j is %s", (_name, snapshot, amount, outcome) => {
    expect(decideDispute(snapshot, opening("dp_1", amount)).result.outcome).toBe(outcome);
  });

  test("that are repeated change nothing", () => {
    const decision = decideDispute(disputed, opening("dp_1"));
    expect([decision.result.outcome, decision.changes]).toEqual(["unchanged", null]);
  });

  const second = written(disputed, decideDispute(disputed, opening("dp_2", 700)));

  test.each([
    ["won", "won", "paid"],
    ["won", "lost", "chargeback"],
    ["lost", "won", "chargeback"],
    ["lost", "lost", "chargeback"],
  ] as const)("two of one order, %s and %s, leave it %s", (first, last, status) => {
    const half = written(second, decideDisputeClosed(second, closing("dp_1", first)));
    expect(half.order?.status).toBe("chargeback");
    const whole = written(half, decideDisputeClosed(half, closing("dp_2", last)));
    expect(whole.order?.status).toBe(status);
    expect(whole.order?.status_before_dispute).toBe(status === "paid" ? null : "paid");
  });

  test.each([
    ["won", "won", "unchanged"],
    ["won", "lost", "invalid_transition"],
    ["lost", "won", "invalid_transition"],
  ] as const)("that are closed as %s and again as %s: %s", (first, again, outcome) => {
    const closed = written(disputed, decideDisputeClosed(disputed, closing("dp_1", first)));
    expect(decideDisputeClosed(closed, closing("dp_1", again)).result.outcome).toBe(outcome);
  });

  test("that nobody opened cannot be closed", () => {
    expect(decideDisputeClosed(paid, closing("dp_1", "won")).result.outcome).toBe(
      "unknown_dispute",
    );
  });
});

test("the end of a dispute is that of the one it names, among all of the order", () => {
  const second = written(disputed, decideDispute(disputed, opening("dp_2", 700)));
  const decision = decideDisputeClosed(second, closing("dp_2", "lost"));
  expect(decision.changes?.disputes).toMatchObject([{ id: "dp_2", amount: 700, outcome: "lost" }]);
});

test("a dispute without a time to answer has none in its event", () => {
  const decision = decideDispute(paid, opening("dp_1"));
  expect(dataOf(decision, 0)).toMatchObject({ dispute: { due_by: null } });
});

describe("a dispute that the provider's message tells of", () => {
  const { money } = message();
  const shop: OrderSnapshot = { ...paid, payments: [booked] };
  const recorded: DisputeRecord = {
    ...where,
    id: "dp_1",
    payment_reference: "money",
    amount: 2_000,
    reason: "fraud",
    due_by: null,
    outcome: null,
    notified: true,
    created_at: now,
    updated_at: now,
  };

  test.each([
    ["without an amount, is about the order's total", null, 2_000],
    ["above the order's total, is recorded in full", 9_000, 9_000],
  ])("%s", (_name, told, amount) => {
    const decision = decideDispute(shop, opening("dp_1", told, { money }));
    expect(decision.result.outcome).toBe("opened");
    expect(decision.changes?.disputes).toEqual([{ ...recorded, amount }]);
  });

  test.each([
    ["of the host", null, "exceeds_total"],
    ["of the provider", money, "opened"],
  ])("one unit above the total, on the word %s: %j %s", (_name, sender, outcome) => {
    const decision = decideDispute(shop, opening("dp_1", 2_001, { money: sender }));
    expect(decision.result.outcome).toBe(outcome);
  });

  test("names its time and reason in the event", () => {
    const due_by = Date.UTC(2026, 1, 1);
    const dispute = { id: "dp_1", amount: 700, reason: "fraud", due_by };
    const decision = decideDispute(shop, opening("dp_1", null, { dispute, money }));
    expect(dataOf(decision, 0)).toMatchObject({
      previous_status: "paid",
      dispute: { ...dispute, due_by: "2026-02-01T00:00:00.000Z" },
    });
  });

  test.each([
    [
      "of unknown money",
      { money: { ...money, payment_reference: "other" } },
      false,
      "unknown_payment",
    ],
    ["that came before", { money }, true, "unchanged"],
  ])("%s changes nothing", (_name, changes, message_seen, outcome) => {
    const opened = decideDispute(shop, opening("dp_1", null, changes), message_seen);
    expect([opened.result.outcome, opened.changes]).toEqual([outcome, null]);

    const known = written(shop, decideDispute(shop, opening("dp_1")));
    const closed = decideDisputeClosed(known, closing("dp_1", "won", changes), message_seen);
    expect([closed.result.outcome, closed.changes]).toEqual([outcome, null]);
  });

  test.each([
    ["of an order that is not there", null, "unknown_order"],
    ["of the order", order, "closed"],
  ])("%s ends: %s", (_name, known, outcome) => {
    const opened = written(shop, decideDispute(shop, opening("dp_1")));
    const decision = decideDisputeClosed({ ...opened, order: known }, closing("dp_1", "won"));
    expect(decision.result.outcome).toBe(outcome);
  });

  const duplicate: OrderSnapshot = { ...shop, payments: [{ ...booked, state: "duplicate" }] };

  test.each([
    ["an inquiry, by the host", shop, null, true, "dispute_inquiry"],
    ["an inquiry, by the provider", shop, money, true, "dispute_inquiry"],
    ["money that did not pay the order", duplicate, money, false, "duplicate_disputed"],
  ] as const)("tells the owner alone of %s", (_name, snapshot, sender, inquiry, type) => {
    const decision = decideDispute(snapshot, opening("dp_1", 700, { inquiry, money: sender }));
    expect(decision).toEqual({
      result: { outcome: "alerted", order },
      changes: orderChanges({
        order,
        alerts: [
          alertOf({
            id: "alr_1",
            type,
            subject: order.id,
            data: {
              reference: "dp_1",
              payment_reference: sender ? "money" : null,
              amount: 700,
              reason: "fraud",
            },
            created_at: now,
          }),
        ],
      }),
    });
  });

  test("a second one keeps the status of before the first", () => {
    const decision = decideDispute(disputed, opening("dp_2", 700, { now: now + 5 }));
    expect(decision.changes?.order).toMatchObject({
      status: "chargeback",
      status_before_dispute: "paid",
      disputed_at: now + 5,
      updated_at: now + 5,
    });
    expect(dataOf(decision, 0)).toMatchObject({ previous_status: "chargeback" });
  });

  test("that ends keeps its facts, and its order what came before", () => {
    const decision = decideDisputeClosed(disputed, closing("dp_1", "lost"));
    expect(decision.changes).toEqual(
      orderChanges({
        order: { ...disputed.order, updated_at: now + 2 } as typeof order,
        disputes: [
          {
            ...recorded,
            payment_reference: null,
            notified: false,
            outcome: "lost",
            updated_at: now + 2,
          },
        ],
      }),
    );
  });

  test("that was opened without a status of before makes the order paid", () => {
    const before = { ...disputed, order: { ...order, status: "chargeback" as const } };
    const decision = decideDisputeClosed(before, closing("dp_1", "won"));
    expect(decision.changes?.order).toMatchObject({ status: "paid", status_before_dispute: null });
  });

  test.each([
    ["won", "closed", "paid", []],
    ["lost", "opened", "chargeback", ["order.chargeback"]],
  ] as const)(
    "whose end comes first is recorded as %s, and its opening changes nothing",
    (...row) => {
      const [result, outcome, status, events] = row;
      const decision = decideDisputeClosed(shop, closing("dp_1", result, { money }));
      expect(decision.result).toMatchObject({ outcome, order: { status } });
      expect(types(decision)).toEqual(events);
      expect(decision.changes?.disputes).toEqual([
        { ...recorded, reason: null, outcome: result, created_at: now + 2, updated_at: now + 2 },
      ]);

      const late = decideDispute(written(shop, decision), opening("dp_1", null, { money }));
      expect([late.result.outcome, late.changes]).toEqual(["unchanged", null]);
    },
  );

  test.each([
    ["money that did not pay the order", duplicate],
    ["an order that is not paid", { ...pending, payments: [booked] }],
  ])("whose end comes first leaves %s", (_name, snapshot) => {
    const decision = decideDisputeClosed(snapshot, closing("dp_1", "lost", { money }));
    expect([decision.result.outcome, decision.changes]).toEqual(["unchanged", null]);
  });
});
