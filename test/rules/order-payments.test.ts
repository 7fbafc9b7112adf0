import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import { newMoney } from "../../src/rules/payments/order-money.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import type { AttemptRecord, PaymentRecord } from "../../src/rules/payments/payment-records.ts";
import { failed, pendingOrder as order, paid, pending, told } from "../payments/order-fixtures.ts";
import { attempt, first, report, withAttempts } from "./payment-reports.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const { now } = told("pending");

describe("a report about a payment", () => {
  test.each([
    ["of an unknown attempt", pending, "pay_7"],
    ["of an order without its session", { ...pending, session: null }, "pay_1"],
    ["of a session without an order", { ...pending, order: null }, "pay_1"],
  ])("%s writes nothing", (_name, snapshot, attempt_id) => {
    expect(decidePayment(snapshot, report("succeeded", {}, { attempt_id }))).toEqual({
      result: { outcome: "unknown_attempt" },
      changes: null,
    });
  });

  test("that came before as the same notification changes nothing", () => {
    expect(decidePayment(pending, report("succeeded"), true)).toEqual({
      result: { outcome: "unchanged", order, attempt: first },
      changes: null,
    });
  });

  test("adds what it tells, and keeps what it leaves out", () => {
    const action = { type: "redirect", url: "https://psp.example.com/3ds" } as const;
    const news = { next_action: action, expires_at: now + hour, payment_reference: "pi_1" };
    const decision = decidePayment(pending, report("pending", news));
    const noted = {
      ...first,
      reference: "ref",
      payment_reference: "pi_1",
      next_action: action,
      expires_at: now + hour,
      check_at: now + 10 * minute,
      updated_at: now,
    };
    expect(decision).toEqual({
      result: { outcome: "pending", order, attempt: noted },
      changes: orderChanges({ order, attempts: [noted] }),
    });

    const other = { reference: "other", payment_reference: "pi_2" };
    const again = decidePayment(withAttempts(noted), report("pending", other));
    expect(again.result).toMatchObject({ attempt: noted });
  });

  test.each([
    ["succeeded", "pending"],
    ["succeeded", "failed"],
    ["duplicate", "unknown"],
    ["returned", "failed"],
    ["failed", "failed"],
    ["failed", "pending"],
    ["failed", "unknown"],
  ] as const)("of an attempt that is %s leaves it so: %s", (state, status) => {
    const before = attempt({ state });
    expect(decidePayment(withAttempts(before), report(status))).toEqual({
      result: { outcome: "unchanged", order, attempt: before },
      changes: null,
    });
  });
});

describe("a payment that failed", () => {
  test.each([
    ["with its code", "fraud", "fraud"],
    ["without a code", null, "declined"],
  ] as const)("ends with the order %s", (_name, failure_code, code) => {
    const before = attempt({ check_at: now });
    const decision = decidePayment(withAttempts(before), report("failed", { failure_code }));
    const ended = { state: "failed", failure_code: code, check_at: null, updated_at: now };
    expect(decision.result).toMatchObject({
      outcome: "failed",
      order: { status: "failed", failure_code: code },
      attempt: ended,
    });
    expect(decision.changes?.attempts).toMatchObject([ended]);
  });

  test("after its order failed ends alone", () => {
    const snapshot = { ...failed, attempts: [attempt({ state: "unknown" })] };
    const decision = decidePayment(snapshot, report("failed"));
    expect(decision.result).toMatchObject({ outcome: "unchanged", attempt: { state: "failed" } });
    expect(decision.changes).toEqual(
      orderChanges({
        order: failed.order,
        attempts: [expect.objectContaining({ state: "failed", failure_code: "declined" })],
      }),
    );
  });
});

describe("a report of a reference that several attempts carry", () => {
  const older = attempt({ reference: "ref" });
  const newer = attempt({ id: "pay_2", reference: "ref", created_at: first.created_at + 1 });
  const replaced = { id: "pay_1", state: "failed", failure_code: "replaced", check_at: null };

  test("is about the newest, and the older ones end, each once", () => {
    const newest = { ...newer, id: "pay_3", created_at: newer.created_at + 1 };
    const decision = decidePayment(withAttempts(older, newer, newest), report("succeeded"));
    expect(decision.result).toMatchObject({ outcome: "paid", attempt: { id: "pay_3" } });
    expect(decision.changes?.attempts).toMatchObject([
      { ...replaced, updated_at: now },
      { ...replaced, id: "pay_2", updated_at: now },
      { id: "pay_3", state: "succeeded" },
    ]);
    expect(decision.changes?.attempts).toHaveLength(3);
  });

  test("ends the older ones also when it changes nothing else", () => {
    const settled = { ...newer, state: "failed" } as const;
    const decision = decidePayment(withAttempts(older, settled), report("failed"));
    expect(decision.result.outcome).toBe("unchanged");
    expect(decision.changes).toEqual(
      orderChanges({ order, attempts: [expect.objectContaining(replaced)] }),
    );
  });

  test.each<[string, Partial<AttemptRecord>, Partial<AttemptRecord>]>([
    ["of another account", {}, { account: "acct" }],
    ["of another reference", {}, { reference: "other" }],
    ["of the same time", {}, { created_at: first.created_at }],
    ["without a reference so far", { reference: null }, { reference: null }],
  ])("is about the named one beside a newer one %s", (_name, old, young) => {
    const attempts = [
      { ...older, ...old },
      { ...newer, ...young },
    ];
    const decision = decidePayment(withAttempts(...attempts), report("succeeded"));
    expect(decision.result).toMatchObject({ outcome: "paid", attempt: { id: "pay_1" } });
  });

  test("without a reference is about the attempt that it names", () => {
    for (const reference of ["ref", null]) {
      const snapshot = withAttempts({ ...older, reference }, { ...newer, reference });
      const decision = decidePayment(snapshot, report("pending", { reference: null }));
      expect(decision.result).toMatchObject({ outcome: "pending", attempt: { id: "pay_1" } });
    }
  });

  test.each<[string, Partial<AttemptRecord>, boolean]>([
    ["in flight", {}, true],
    ["in doubt", { state: "unknown" }, true],
    ["failed", { state: "failed" }, false],
    ["of another account", { account: "acct" }, false],
    ["of another reference", { reference: "other" }, false],
    ["without a reference", { reference: null }, false],
    ["newer", { created_at: newer.created_at + 1, reference: "money" }, false],
    ["of the same time", { created_at: newer.created_at }, false],
    ["that waits for what the newest one got", { reference: "money" }, true],
  ])("replaces an older one or not: %s", (_name, changes, isReplaced) => {
    const named = { ...newer, payment_reference: "money" };
    const snapshot = withAttempts({ ...older, ...changes }, named);
    const decision = decidePayment(snapshot, report("pending", {}, { attempt_id: "pay_2" }));
    const ended = decision.changes?.attempts.filter(({ id }) => id === "pay_1");
    expect(ended).toMatchObject(isReplaced ? [replaced] : []);
  });
});

test("a report leaves alone an older attempt without a reference, when its own has no second id", () => {
  const older = attempt({ reference: null });
  const newer = attempt({ id: "pay_2", reference: "ref", created_at: first.created_at + 1 });
  const news = report("pending", {}, { attempt_id: "pay_2" });
  const decision = decidePayment(withAttempts(older, newer), news);
  expect(decision.changes?.attempts.map(({ id }) => id)).toEqual(["pay_2"]);
});

describe("money that came", () => {
  const booked = (reference: string): PaymentRecord =>
    newMoney(paid, first, { reference, amount: 2_000, currency: "BRL", now }, "booked");

  test.each([
    ["its own id", { payment_reference: "pi_1" }, "pi_1"],
    ["what was asked for", {}, "ref"],
    ["the attempt, without any reference", { reference: null }, "pay_1"],
  ])("is named by %s", (_name, names, payment_reference) => {
    const decision = decidePayment(pending, report("succeeded", names));
    expect(decision.changes?.payments).toMatchObject([{ payment_reference, state: "booked" }]);
    expect(decision.result).toMatchObject({
      outcome: "paid",
      attempt: {
        state: "succeeded",
        received_amount: 2_000,
        received_currency: "BRL",
        failure_code: null,
        check_at: null,
      },
    });
  });

  test("is named anew when its id is told later", () => {
    const before = attempt({ state: "succeeded", reference: "ref" });
    const other = { ...booked("ref"), id: "pay_2", attempt_id: "pay_2" };
    const snapshot = {
      ...paid,
      attempts: [before],
      payments: [booked("ref"), other, { ...booked("old"), id: "pay_1.2" }],
    };
    const news = report("succeeded", { payment_reference: "pi_1" });
    const decision = decidePayment(snapshot, news);
    const named = { ...before, payment_reference: "pi_1", updated_at: now };
    expect(decision).toEqual({
      result: { outcome: "unchanged", order: paid.order, attempt: named },
      changes: orderChanges({
        order: paid.order,
        attempts: [named],
        payments: [{ ...booked("ref"), payment_reference: "pi_1" }],
      }),
    });
  });

  test.each<[string, Partial<AttemptRecord>]>([
    ["has a second id already", { payment_reference: "pi_0" }],
    ["asked by another reference", { reference: "other" }],
  ])("is a duplicate when its attempt %s", (_name, changes) => {
    const before = attempt({ state: "succeeded", reference: "ref", ...changes });
    const snapshot = { ...paid, attempts: [before], payments: [booked("pi_0")] };
    const decision = decidePayment(snapshot, report("succeeded", { payment_reference: "pi_1" }));
    expect(decision.result).toMatchObject({
      outcome: "duplicate",
      attempt: { state: "succeeded", received_amount: 2_000 },
    });
    expect(decision.changes).toMatchObject({
      session: null,
      payments: [{ id: "pay_1.2", state: "duplicate", payment_reference: "pi_1", check_at: null }],
      alerts: [
        {
          id: "alr_1",
          type: "duplicate_payment",
          subject: "pay_1.2",
          data: {
            order_id: order.id,
            payment_id: "pay_1.2",
            attempt_id: "pay_1",
            gateway: "sandbox",
            reference: "pi_1",
            amount: 2_000,
            currency: "BRL",
          },
        },
      ],
    });
  });

  test("that counts elsewhere leaves an open attempt waiting", () => {
    const elsewhere = [attempt({ id: "pay_8", order_id: "ord_8", state: "succeeded" })];
    const decision = decidePayment({ ...pending, elsewhere }, report("succeeded"));
    const waiting = { ...first, check_at: now + 10 * minute, updated_at: now };
    expect(decision).toEqual({
      result: { outcome: "pending", order, attempt: waiting },
      changes: orderChanges({ order, attempts: [waiting] }),
    });

    const settled = attempt({ state: "failed" });
    expect(decidePayment({ ...withAttempts(settled), elsewhere }, report("succeeded"))).toEqual({
      result: { outcome: "unchanged", order, attempt: settled },
      changes: null,
    });
  });

  test.each([
    ["of an open attempt: it is still asked about", "in_flight", now + 10 * minute],
    ["of a failed attempt: nobody asks", "failed", null],
  ] as const)("of a wrong amount %s", (_name, state, check_at) => {
    const before = attempt({ state, check_at: null });
    const decision = decidePayment(withAttempts(before), report("succeeded", { amount: 5 }));
    expect(decision.result).toMatchObject({
      outcome: "mismatch",
      order: { status: "pending" },
      attempt: { state, check_at, received_amount: 5, received_currency: "BRL", reference: "ref" },
    });
    expect(decision.changes).toMatchObject({
      attempts: [{ state, received_amount: 5 }],
      payments: [{ state: "unapplied", amount: 5 }],
      alerts: [{ id: "alr_2", type: "payment_mismatch", subject: "pay_1", created_at: now }],
    });
  });

  test("of a wrong amount keeps the alert of an attempt whose time is over", () => {
    const old = attempt({ expires_at: now - 15 * day });
    const decision = decidePayment(withAttempts(old), report("succeeded", { amount: 5 }));
    expect(decision.result).toMatchObject({ outcome: "mismatch", order: { status: "failed" } });
    expect(decision.changes?.alerts.map(({ id, type }) => [id, type])).toEqual([
      ["alr_1", "payment_in_doubt"],
      ["alr_2", "payment_mismatch"],
    ]);
  });
});
