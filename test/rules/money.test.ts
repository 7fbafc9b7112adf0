import { describe, expect, test } from "vitest";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import {
  byCreation,
  isKnownMoney,
  newMoney,
  withReceived,
} from "../../src/rules/payments/order-money.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import type { AttemptRecord, PaymentRecord } from "../../src/rules/payments/payment-records.ts";
import { base, paid, pending, told } from "../payments/order-fixtures.ts";

const minute = 60_000;
const hour = 60 * minute;
const now = base.now + hour;

const attempt = paid.attempts[0] as AttemptRecord;

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
    [
      "an attempt of the order got it too much",
      { ...none, attempts: [{ ...attempt, reference: "ref", state: "duplicate" }] },
      account,
      "ref",
      true,
    ],
    [
      "an attempt of the order got it and gave it back",
      { ...none, attempts: [{ ...attempt, reference: "ref", state: "returned" }] },
      account,
      "ref",
      true,
    ],
    [
      "it came with a wrong amount",
      { ...none, payments: [{ ...money, state: "unapplied" }] },
      account,
      "ref",
      false,
    ],
    ["another order got it", { ...none, elsewhere: [attempt] }, account, "ref", true],
    [
      "another order got it with a wrong amount",
      { ...none, elsewhere: [{ ...attempt, state: "in_flight", received_amount: 9 }] },
      account,
      "ref",
      true,
    ],
    [
      "another order only waits for it",
      { ...none, elsewhere: [{ ...attempt, state: "unknown", received_amount: null }] },
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
      const others = [{ attempt_id: "pay_0" }];
      const own = Array.from({ length: count }, () => ({ attempt_id: attempt.id }));
      const payments = [...others, ...own];
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
    const kept = { state: "unapplied", amount: 2_000, currency: "BRL", ...change };
    expect(decision.changes?.payments).toMatchObject([kept]);
    expect(decision.changes?.alerts.map(({ type, data }) => [type, data])).toEqual([
      [
        "payment_mismatch",
        { order_id: "ord_1", reference: "ref", amount: 2_000, currency: "BRL", ...change },
      ],
    ]);
  });
});
