import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/rules/order-changes.ts";
import { byCreation, isKnownMoney, newMoney, withReceived } from "../../src/rules/order-money.ts";
import { decidePayment } from "../../src/rules/order-payment.ts";
import type { OrderSnapshot } from "../../src/rules/order-snapshot.ts";
import type { AttemptRecord, MoneyReturn, PaymentRecord } from "../../src/rules/payment-records.ts";
import { decideReturn, decideReturnResult } from "../../src/rules/payment-return.ts";
import type { RefundNews } from "../../src/rules/refund-commands.ts";
import { refundKey } from "../../src/rules/refund-schedule.ts";
import type { PaymentReturn } from "../../src/rules/return-commands.ts";
import { base, paid, pending, told } from "../payments/order-fixtures.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
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
    changes: Partial<Pick<PaymentReturn, "asked_by" | "can_ask">> = {},
  ) =>
    decideReturn(snapshotOf(money), {
      ...where,
      order_id: "ord_1",
      payment_id: money.id,
      asked_by: "maintenance",
      can_ask: true,
      ids: base.ids,
      now: at,
      ...changes,
    });
  test("the keys for the provider of all money of one attempt differ, however often it refuses", () => {
    const keys = ["pay_1", "pay_1.2", "pay_1.3"].flatMap((id) => {
      const { result } = begin({ ...duplicate, id }, now);
      if (result.outcome !== "started") throw new Error(result.outcome);
      const { refund_id } = result.payment.return;
      return [0, 1, 2, 3].map((key_attempt) => refundKey({ id: refund_id, key_attempt }));
    });
    expect(new Set(keys).size).toBe(12);
  });

  const nextOf = ({ result }: ReturnType<typeof begin>) =>
    result.outcome === "started" ? result.next : result.outcome;
  const newsOf = (status: RefundNews["status"], changes: Partial<RefundNews> = {}): RefundNews => ({
    status,
    reference: null,
    amount: null,
    failure_reason: null,
    ...changes,
  });
  const end = (
    money: PaymentRecord,
    news: RefundNews | "no_answer",
    key_attempt = money.return?.key_attempt ?? 0,
    snapshot = snapshotOf(money),
  ) =>
    decideReturnResult(snapshot, {
      ...where,
      order_id: "ord_1",
      payment_id: money.id,
      key_attempt,
      news,
      ids: base.ids,
      now: now + 1,
    });
  const moneyOf = (decision: Decision<unknown>): PaymentRecord =>
    decision.changes?.payments[0] as PaymentRecord;
  const started = moneyOf(begin(duplicate, now));

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

  const failedAlert = {
    type: "return_failed",
    subject: duplicate.id,
    data: {
      order_id: "ord_1",
      payment_id: duplicate.id,
      reference: "again",
      amount: 2_000,
      currency: "BRL",
    },
  };

  test.each([
    [true, "ask"],
    [false, "send"],
  ])(
    "it is tried six times within 24 hours, and then the owner is told (can ask: %j)",
    (can_ask, repeat) => {
      let money = duplicate;
      let at = now;
      const waits: number[] = [];
      for (let tries = 1; tries <= 6; tries += 1) {
        const begun = begin(money, at, { can_ask });
        expect(nextOf(begun)).toBe(tries === 1 ? "send" : repeat);
        money = moneyOf(begun);
        const due = money.check_at ?? 0;
        waits.push((due - at) / minute);
        at = due;
        // A try without an answer is repeated with every field equal.
        expect(money.return).toEqual({
          refund_id: "rf_1",
          key_attempt: 0,
          amount: 2_000,
          requested_at: now,
          tries,
          pending: false,
          refund_reference: null,
        });

        const ended = end(money, "no_answer");
        money = moneyOf(ended);
        expect(money.state).toBe(tries < 6 ? "returning" : "return_failed");
        expect(ended.result.outcome).toBe(money.state);
        expect(ended.changes?.alerts).toMatchObject(tries < 6 ? [] : [failedAlert]);
        expect(ended.changes?.alerts).toHaveLength(tries < 6 ? 0 : 1);
      }
      expect(waits).toEqual([10, 30, 120, 360, 720, 60]);
      expect(at - now).toBeLessThan(day);
      expect(money.check_at).toBeNull();

      const late = end(money, newsOf("succeeded", { reference: "re_1" }));
      expect(late.result.outcome).toBe("returned");
      expect(late.changes?.alerts).toEqual([]);
      expect(moneyOf(end(money, newsOf("pending"))).state).toBe("returning");
    },
  );

  const taken = moneyOf(end(started, newsOf("pending", { reference: "re_1" })));

  test.each([
    ["within the first minute", 59_999, minute],
    ["after the first minute", minute + 1, minute + 1],
    ["after an hour", hour, hour],
    ["after a day", day, day],
    ["after two days", 2 * day, day],
    ["at the end of 14 days", 14 * day - 1, day],
  ])(
    "a look at what the gateway has taken is no try, and waits for its age: %s",
    (_name, age, wait) => {
      expect(taken).toMatchObject({
        state: "returning",
        check_at: now + 10 * minute,
        return: { tries: 1, pending: true, refund_reference: "re_1", requested_at: now },
      });
      const at = now + age;
      const look = begin(taken, at);
      expect(nextOf(look)).toBe("ask");
      const looked = moneyOf(look);
      expect(looked).toMatchObject({ check_at: at + wait, return: { tries: 1, pending: true } });
      expect(looked.return).toEqual(taken.return);

      // What is taken stays so without an answer: it is asked about again.
      const unanswered = end(looked, "no_answer");
      expect(unanswered.result.outcome).toBe("returning");
      expect(moneyOf(unanswered)).toMatchObject({ check_at: at + wait, return: taken.return });
    },
  );

  test.each([
    ["asked for 14 days", taken, 14 * day - 1, true, "ask"],
    ["not asked after 14 days", taken, 14 * day, true, "unchanged"],
    ["left to a message for 23 hours", taken, 23 * hour - 1, false, "wait"],
    ["left to nobody after 23 hours", taken, 23 * hour, false, "unchanged"],
    ["repeated for 23 hours", started, 23 * hour - 1, false, "send"],
    ["not repeated after 23 hours", started, 23 * hour, false, "unchanged"],
    ["asked about when its key is old", started, 23 * hour, true, "ask"],
  ])("a return without a result is %s", (_name, money, age, can_ask, next) => {
    const decision = begin(money, now + age, { can_ask });
    expect(nextOf(decision)).toBe(next);
    expect(decision.changes?.payments).toMatchObject([
      next === "unchanged"
        ? { state: "return_failed", check_at: null, return: money.return }
        : { state: "returning" },
    ]);
    expect(decision.changes?.alerts).toMatchObject(next === "unchanged" ? [failedAlert] : []);
    expect(decision.changes?.alerts).toHaveLength(next === "unchanged" ? 1 : 0);
  });

  test("each refusal counts, because it uses the key up", () => {
    const refused = moneyOf(end(started, newsOf("failed")));
    expect(refused).toMatchObject({ state: "returning", check_at: now + 10 * minute });
    expect(refused.sent_back).toEqual([]);
    expect(refused.return).toMatchObject({ tries: 1, key_attempt: 1, requested_at: null });

    const again = begin(refused, now + hour);
    expect(nextOf(again)).toBe("send");
    expect(moneyOf(again).return).toMatchObject({
      tries: 2,
      key_attempt: 1,
      requested_at: now + hour,
      amount: 2_000,
    });

    const old = end(moneyOf(again), newsOf("succeeded", { reference: "re_0" }), 0);
    expect(old).toMatchObject({ result: { outcome: "unchanged" }, changes: null });
    const twice = end(moneyOf(again), newsOf("failed", { reference: "re_1" }));
    expect(moneyOf(twice)).toMatchObject({
      sent_back: [{ reference: "re_1", amount: 2_000, state: "failed" }],
      return: { tries: 2, key_attempt: 2, requested_at: null },
    });
  });

  test("a refusal of what was taken ends the waiting, and its sixth try the return", () => {
    expect(moneyOf(end(taken, newsOf("failed", { reference: "re_1" }))).return).toMatchObject({
      key_attempt: 1,
      pending: false,
      refund_reference: null,
      requested_at: null,
    });
    const way = started.return && { ...started.return, tries: 6 };
    const last = end({ ...started, return: way }, newsOf("failed"));
    expect(last.result.outcome).toBe("return_failed");
    expect(last.changes?.alerts).toMatchObject([failedAlert]);
  });

  test("a part that is back leaves the rest to the next key", () => {
    const part = end(started, newsOf("succeeded", { reference: "re_1", amount: 400 }));
    expect(part.result.outcome).toBe("returning");
    const again = begin(moneyOf(part), now);
    expect(nextOf(again)).toBe("send");
    expect(moneyOf(again).return).toMatchObject({ key_attempt: 1, amount: 1_600, tries: 2 });

    const rest = end(moneyOf(again), newsOf("succeeded", { reference: "re_2" }));
    expect(moneyOf(rest)).toMatchObject({
      state: "returned",
      sent_back: [{ amount: 400 }, { amount: 1_600 }],
    });
  });

  test("what is back stays so, with its attempt", () => {
    const own = { ...started, id: attempt.id };
    const snapshot = { ...paid, payments: [own], attempts: [{ ...attempt, state: "duplicate" }] };
    const decision = end(own, newsOf("succeeded"), 0, snapshot as OrderSnapshot);
    expect(decision.result.outcome).toBe("returned");
    expect(decision.changes).toMatchObject({
      payments: [
        {
          state: "returned",
          check_at: null,
          sent_back: [{ reference: null, amount: 2_000, state: "succeeded" }],
        },
      ],
      attempts: [{ state: "returned", check_at: null }],
    });

    const returned = moneyOf(decision);
    for (const asked_by of ["owner", "maintenance"] as const)
      expect(begin(returned, now, { asked_by })).toMatchObject({
        result: { outcome: "unchanged" },
        changes: null,
      });
    for (const news of ["no_answer", newsOf("pending")] as const)
      expect(end(returned, news)).toMatchObject({
        result: { outcome: "unchanged" },
        changes: null,
      });
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
    expect(begin({ ...duplicate, state }, now, { asked_by }).result.outcome).toBe(outcome);
  });

  const spent = {
    refund_id: "rf_1",
    key_attempt: 2,
    amount: 1_500,
    requested_at: null,
    tries: 6,
    pending: false,
    refund_reference: null,
  };
  const spentWith = (changes: Partial<MoneyReturn>): PaymentRecord => ({
    ...duplicate,
    state: "return_failed",
    return: { ...spent, ...changes },
  });

  test("a new round after a failure begins with the first try, and keeps the count of the keys", () => {
    const round = begin(spentWith({}), now, { asked_by: "owner" });
    expect(nextOf(round)).toBe("send");
    expect(moneyOf(round)).toMatchObject({
      state: "returning",
      check_at: now + 10 * minute,
      return: { tries: 1, key_attempt: 2, refund_id: "rf_1", amount: 2_000, requested_at: now },
    });
  });

  test.each([
    ["asks, however old it is", 30 * day, true, "ask"],
    ["repeats it while its key is young", 23 * hour - 1, false, "send"],
    ["leaves it when its key is old", 23 * hour, false, "unchanged"],
  ])("a new round of a creation without an answer %s", (_name, age, can_ask, next) => {
    const unanswered = spentWith({ requested_at: now - age });
    const round = begin(unanswered, now, { asked_by: "owner", can_ask });
    expect(nextOf(round)).toBe(next);
    const isLeft = next === "unchanged";
    expect(moneyOf(round)).toMatchObject({
      state: isLeft ? "return_failed" : "returning",
      return: { ...unanswered.return, tries: isLeft ? 6 : 1 },
    });
    // The owner was told before.
    expect(round.changes?.alerts).toEqual([]);
  });
});
