import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/rules/order-changes.ts";
import { byCreation, isKnownMoney, newMoney, withReceived } from "../../src/rules/order-money.ts";
import { decidePayment } from "../../src/rules/order-payment.ts";
import type { OrderSnapshot } from "../../src/rules/order-snapshot.ts";
import type { AttemptRecord, PaymentRecord } from "../../src/rules/payment-records.ts";
import { decideReturn, decideReturnResult } from "../../src/rules/payment-return.ts";
import type { ReturnSettlement } from "../../src/rules/return-commands.ts";
import { base, paid, pending, told } from "../payments/order-fixtures.ts";

const minute = 60_000;
const hour = 60 * minute;
const now = base.now + hour;

const attempt = paid.attempts[0] as AttemptRecord;
const where = { store_id: attempt.store_id, livemode: attempt.livemode };

describe("money that is known", () => {
  const money = {
    ...newMoney(paid, attempt, { reference: "ref", amount: 1, currency: "BRL", now }, "booked"),
  };
  const account = { gateway: "sandbox", account: null };
  const none: OrderSnapshot = { ...paid, attempts: [], payments: [], elsewhere: [] };

  test.each([
    ["it is booked", { ...none, payments: [money] }, account, "ref", true],
    [
      "it is booked under another reference",
      { ...none, payments: [money] },
      account,
      "other",
      false,
    ],
    [
      "it is another gateway's",
      { ...none, payments: [money] },
      { ...account, gateway: "x" },
      "ref",
      false,
    ],
    [
      "it is another account's",
      { ...none, payments: [money] },
      { ...account, account: "acct_2" },
      "ref",
      false,
    ],
    [
      "an attempt of the order got it",
      { ...none, attempts: [{ ...attempt, reference: "ref" }] },
      account,
      "ref",
      true,
    ],
    [
      "an attempt of the order only waits for it",
      { ...none, attempts: [{ ...attempt, reference: "ref", state: "in_flight" }] },
      account,
      "ref",
      false,
    ],
    [
      "another account's attempt got it",
      { ...none, attempts: [{ ...attempt, reference: "ref" }] },
      { ...account, account: "acct_2" },
      "ref",
      false,
    ],
    ["another order got it", { ...none, elsewhere: [attempt] }, account, "ref", true],
    [
      "another order only waits for it",
      { ...none, elsewhere: [{ ...attempt, state: "unknown" }] },
      account,
      "ref",
      false,
    ],
    [
      "another account's order got it",
      { ...none, elsewhere: [{ ...attempt, account: "acct_2" }] },
      account,
      "ref",
      false,
    ],
  ] as const)("%s", (_name, snapshot, sender, reference, isKnown) => {
    expect(isKnownMoney(snapshot as OrderSnapshot, sender, reference)).toBe(isKnown);
  });
});

describe("the record of money", () => {
  const received = { reference: "m", amount: 7, currency: "USD", now };

  test("has the attempt's id, and the second and third add their number", () => {
    const of = (count: number): string => {
      const payments = Array.from({ length: count }, () => ({ attempt_id: attempt.id }));
      return newMoney(
        { ...paid, payments } as unknown as OrderSnapshot,
        attempt,
        received,
        "booked",
      ).id;
    };
    expect([of(0), of(1), of(2)]).toEqual(["pay_1", "pay_1.2", "pay_1.3"]);
  });

  test("is sorted by its time, then by its number", () => {
    const record = (id: string, created_at: number) => ({ id, created_at }) as PaymentRecord;
    const list = [
      record("pay_1.10", 5),
      record("pay_1.9", 5),
      record("pay_2", 4),
      record("pay_1", 5),
    ];
    expect(list.sort(byCreation).map(({ id }) => id)).toEqual([
      "pay_2",
      "pay_1",
      "pay_1.9",
      "pay_1.10",
    ]);
  });

  test.each([
    [
      "its first reference",
      { reference: null, payment_reference: null },
      { reference: "m", payment_reference: null },
    ],
    [
      "another id than it asked by",
      { reference: "r", payment_reference: null },
      { reference: "r", payment_reference: "m" },
    ],
    [
      "the id that it asked by",
      { reference: "m", payment_reference: null },
      { reference: "m", payment_reference: null },
    ],
    [
      "a second id",
      { reference: "r", payment_reference: "first" },
      { reference: "r", payment_reference: "first" },
    ],
  ])("an attempt that gets money with %s keeps its first", (_name, names, after) => {
    const waiting = { ...attempt, ...names, received_amount: null, received_currency: null };
    expect(withReceived(waiting, received)).toMatchObject({
      ...after,
      received_amount: 7,
      received_currency: "USD",
      updated_at: now,
    });
    expect(withReceived({ ...waiting, received_amount: 1 }, received).received_amount).toBe(1);
  });
});

describe("an amount that differs pays nothing", () => {
  test.each([
    ["a unit less", { amount: 1_999 }],
    ["a unit more", { amount: 2_001 }],
    ["another currency", { currency: "USD" }],
    ["the currency in lower case", { currency: "brl" }],
  ])("%s", (_name, change) => {
    const decision = decidePayment(pending, told("succeeded", change));
    expect(decision.result).toMatchObject({ outcome: "mismatch", order: { status: "pending" } });
    expect(decision.changes?.payments).toEqual([]);
    expect(decision.changes?.alerts.map(({ type, data }) => [type, data])).toEqual([
      [
        "payment_mismatch",
        { order_id: "ord_1", reference: "ref", amount: 2_000, currency: "BRL", ...change },
      ],
    ]);
  });
});

describe("a duplicate on its way back", () => {
  const second = decidePayment(
    { ...paid, payments: [{ state: "booked", id: "x" } as PaymentRecord] },
    { ...told("succeeded", { reference: "again" }), now },
  );
  const duplicate = second.changes?.payments[0] as PaymentRecord;
  const snapshotOf = (money: PaymentRecord): OrderSnapshot => ({ ...paid, payments: [money] });
  const begin = (
    money: PaymentRecord,
    at: number,
    asked_by: "owner" | "maintenance" = "maintenance",
  ) =>
    decideReturn(snapshotOf(money), {
      ...where,
      order_id: "ord_1",
      payment_id: money.id,
      asked_by,
      now: at,
    });
  const end = (
    money: PaymentRecord,
    status: ReturnSettlement["status"],
    refund_reference: string | null = null,
  ) =>
    decideReturnResult(snapshotOf(money), {
      ...where,
      order_id: "ord_1",
      payment_id: money.id,
      status,
      refund_reference,
      ids: base.ids,
      now: now + 1,
    });
  const moneyOf = (decision: Decision<unknown>): PaymentRecord =>
    decision.changes?.payments[0] as PaymentRecord;

  test("it is money of its own, which nobody sends back unasked", () => {
    expect(second.result).toMatchObject({ outcome: "duplicate", order: { status: "paid" } });
    expect(duplicate).toMatchObject({
      state: "duplicate",
      payment_reference: "again",
      return: null,
      check_at: null,
      created_at: now,
    });
  });

  test("a gateway that returns duplicates is asked to after ten minutes", () => {
    const command = told("succeeded", { reference: "again" });
    const decision = decidePayment(paid, { ...command, now, returns_duplicates: true });
    expect(moneyOf(decision).check_at).toBe(now + 10 * minute);
  });

  test("it is tried six times within 24 hours, and then the owner is told", () => {
    let money = duplicate;
    const waits: number[] = [];
    for (let tries = 1; tries <= 6; tries += 1) {
      money = moneyOf(begin(money, now));
      waits.push(((money.check_at ?? 0) - now) / minute);
      expect(money.return).toMatchObject({ tries, refusals: 0, pending: false });

      const ended = end(money, "unknown");
      money = moneyOf(ended);
      expect(money.state).toBe(tries < 6 ? "returning" : "return_failed");
      expect(ended.changes?.alerts).toHaveLength(tries < 6 ? 0 : 1);
    }
    expect(waits).toEqual([10, 30, 120, 360, 720, 60]);
    expect(money.check_at).toBeNull();
  });

  test("a look at what the gateway has taken is no try, and comes each hour", () => {
    const taken = moneyOf(end(moneyOf(begin(duplicate, now)), "pending", "re_1"));
    expect(taken).toMatchObject({
      state: "returning",
      return: { tries: 1, pending: true, refund_reference: "re_1" },
    });
    const looked = moneyOf(begin(taken, now));
    expect(looked).toMatchObject({ check_at: now + hour, return: { tries: 1, pending: true } });
    expect(moneyOf(end(looked, "unknown")).return).toMatchObject({
      pending: false,
      refund_reference: "re_1",
    });
  });

  test("each refusal counts, because it uses the key up", () => {
    const refused = moneyOf(end(moneyOf(begin(duplicate, now)), "failed"));
    expect(refused.return).toMatchObject({ tries: 1, refusals: 1 });
    expect(moneyOf(begin(refused, now)).return).toMatchObject({ tries: 2, refusals: 1 });
  });

  test("what is back stays so, with its attempt", () => {
    const own = { ...moneyOf(begin(duplicate, now)), id: attempt.id };
    const snapshot = { ...paid, payments: [own], attempts: [{ ...attempt, state: "duplicate" }] };
    const decision = decideReturnResult(snapshot as OrderSnapshot, {
      ...where,
      order_id: "ord_1",
      payment_id: own.id,
      status: "succeeded",
      refund_reference: null,
      ids: base.ids,
      now,
    });
    expect(decision.changes).toMatchObject({
      payments: [{ state: "returned", check_at: null }],
      attempts: [{ state: "returned", check_at: null }],
    });
    expect(begin(moneyOf(decision), now).result.outcome).toBe("unchanged");
  });

  test.each([
    ["booked", "owner", "invalid_transition"],
    ["returned", "owner", "unchanged"],
    ["returning", "owner", "unchanged"],
    ["returning", "maintenance", "started"],
    ["return_failed", "maintenance", "unchanged"],
    ["return_failed", "owner", "started"],
    ["duplicate", "owner", "started"],
  ] as const)("money that is %s, asked for by the %s: %s", (state, asked_by, outcome) => {
    expect(begin({ ...duplicate, state }, now, asked_by).result.outcome).toBe(outcome);
  });

  test("a new round after a failure begins with the first try, and keeps the refusals", () => {
    const spent = {
      ...duplicate,
      state: "return_failed" as const,
      return: { refund_id: "rf_1", tries: 6, refusals: 2, pending: false, refund_reference: null },
    };
    expect(moneyOf(begin(spent, now, "owner"))).toMatchObject({
      check_at: now + 10 * minute,
      return: { tries: 1, refusals: 2, refund_id: "rf_1" },
    });
  });
});
