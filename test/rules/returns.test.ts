import { describe, expect, test } from "vitest";
import { type Decision, orderChanges } from "../../src/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import type { MoneyReturn, PaymentRecord } from "../../src/rules/payments/payment-records.ts";
import type { PaymentReturn } from "../../src/rules/payments/return-commands.ts";
import { decideReturn, decideReturnResult } from "../../src/rules/payments/return-decisions.ts";
import type { RefundReport } from "../../src/rules/refunds/refund-commands.ts";
import { refundKey } from "../../src/rules/refunds/refund-schedule.ts";
import { base, paid, told } from "../payments/order-fixtures.ts";
import { attempt, hour, minute, order, where } from "./refund-fixtures.ts";

const day = 24 * hour;
const now = base.now + hour;

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

const nextOf = ({ result }: ReturnType<typeof begin>) =>
  result.outcome === "started" ? result.next : result.outcome;

const newsOf = (
  status: RefundReport["status"],
  changes: Partial<RefundReport> = {},
): RefundReport => ({
  status,
  reference: null,
  amount: null,
  failure_reason: null,
  ...changes,
});

const end = (
  money: PaymentRecord,
  report: RefundReport | "no_answer",
  key_attempt = money.return?.key_attempt ?? 0,
  snapshot = snapshotOf(money),
) =>
  decideReturnResult(snapshot, {
    ...where,
    order_id: "ord_1",
    payment_id: money.id,
    key_attempt,
    report,
    ids: base.ids,
    now: now + 1,
  });

const moneyOf = (decision: Decision<unknown>): PaymentRecord =>
  decision.changes?.payments[0] as PaymentRecord;
const started = moneyOf(begin(duplicate, now));

const taken = moneyOf(end(started, newsOf("pending", { reference: "re_1" })));

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

describe("a duplicate on its way back", () => {
  test("the keys for the provider of all money of one attempt differ, however often it refuses", () => {
    const keys = ["pay_1", "pay_1.2", "pay_1.3"].flatMap((id) => {
      const { result } = begin({ ...duplicate, id }, now);
      if (result.outcome !== "started") throw new Error(result.outcome);
      const { refund_id } = result.payment.return;
      return [0, 1, 2, 3].map((key_attempt) => refundKey({ id: refund_id, key_attempt }));
    });
    expect(new Set(keys).size).toBe(12);
  });

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

    const old = end(moneyOf(again), newsOf("failed", { reference: "re_0" }), 0);
    expect(old).toMatchObject({ result: { outcome: "unchanged" }, changes: null });
    const moved = end(moneyOf(again), newsOf("succeeded", { reference: "re_0" }), 0);
    expect(moneyOf(moved)).toMatchObject({
      state: "returned",
      sent_back: [{ reference: "re_0", amount: 2_000, state: "succeeded" }],
      return: { key_attempt: 1, requested_at: now + hour },
    });
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
    for (const report of ["no_answer", newsOf("pending")] as const)
      expect(end(returned, report)).toMatchObject({
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

  test("a new round is asked about at each of its tries, however old its key is", () => {
    const old = spentWith({ requested_at: now - 20 * day });
    const first = begin(old, now, { asked_by: "owner" });
    expect(nextOf(first)).toBe("ask");
    const unanswered = moneyOf(end(moneyOf(first), "no_answer"));
    expect(nextOf(begin(unanswered, now + 10 * minute))).toBe("ask");
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

test("a return is that of the money it names, among all money of the order", () => {
  const other = { ...started, id: "pay_0" };
  const snapshot = { ...paid, payments: [other, started] };
  const asked = { payment_id: started.id, asked_by: "maintenance", can_ask: true } as const;
  const again = decideReturn(snapshot, { ...where, ...asked, ids: base.ids, now });
  expect(moneyOf(again).id).toBe(started.id);
  expect(moneyOf(end(started, "no_answer", 0, snapshot)).id).toBe(started.id);
});

describe("a return that is told of unexpectedly", () => {
  const givenUp: PaymentRecord = { ...spentWith({ requested_at: now }), check_at: null };

  test.each([
    ["no order", { ...snapshotOf(started), order: null }],
    ["no such money", { ...paid, payments: [] }],
  ])("of %s writes nothing", (_name, snapshot) => {
    const unknown = { result: { outcome: "unknown_payment" }, changes: null };
    expect(end(started, newsOf("succeeded"), 0, snapshot)).toEqual(unknown);
    const asked = { payment_id: started.id, asked_by: "owner", can_ask: true } as const;
    expect(decideReturn(snapshot, { ...where, ...asked, ids: base.ids, now })).toEqual(unknown);
  });

  test("of money that nobody has asked back changes nothing", () => {
    expect(end(duplicate, newsOf("succeeded"))).toEqual({
      result: { outcome: "unchanged", payment: duplicate },
      changes: null,
    });
  });

  test("each money of one attempt has an id of its own for the provider", () => {
    const idOf = (id: string) => moneyOf(begin({ ...duplicate, id }, now)).return?.refund_id;
    expect(["pay_1", "pay_1.2", "pay_1.3"].map(idOf)).toEqual(["rf_1", "rf_1-2", "rf_1-3"]);
  });

  test.each([
    ["the provider's id of it", "re_1", "re_1"],
    ["no id", null, "re_0"],
  ])("taken after it was given up, with %s, is asked about again", (_name, reference, kept) => {
    const before = { ...givenUp, return: { ...givenUp.return, refund_reference: "re_0" } };
    const decision = end(before as PaymentRecord, newsOf("pending", { reference }), 2);
    const payment = {
      ...before,
      state: "returning",
      return: { ...before.return, pending: true, refund_reference: kept },
      check_at: now + 1 + hour,
      updated_at: now + 1,
    };
    expect(decision.result).toEqual({ outcome: "returning", payment });
    expect(decision.changes).toEqual(orderChanges({ order, payments: [payment as PaymentRecord] }));
  });

  test.each([
    ["no answer", "no_answer"],
    ["a refusal without an id", newsOf("failed")],
  ] as const)("after it was given up with %s tells the owner no second time", (_name, report) => {
    const decision = end(givenUp, report);
    expect(decision.result).toMatchObject({
      outcome: "unchanged",
      payment: { state: "return_failed", updated_at: now + 1 },
    });
    expect(decision.changes?.alerts).toEqual([]);
  });

  test("and that the gateway has taken at the last try is not given up without an answer", () => {
    const last = { ...taken, return: taken.return && { ...taken.return, tries: 6 } };
    const decision = end(last, "no_answer");
    expect(decision.result.outcome).toBe("returning");
    expect(decision.changes?.alerts).toEqual([]);
  });

  test("and given up after a part is back names the rest", () => {
    const part = moneyOf(end(started, newsOf("succeeded", { reference: "re_1", amount: 400 })));
    const last = { ...part, return: part.return && { ...part.return, tries: 6 } };
    const decision = end(last, newsOf("failed"));
    expect(decision.result).toMatchObject({
      outcome: "return_failed",
      payment: { state: "return_failed", check_at: null, updated_at: now + 1 },
    });
    expect(decision.changes?.alerts).toMatchObject([
      { id: base.ids.alerts[0], data: { amount: 1_600 } },
    ]);
  });

  test("a refund of it that is taken back tells the owner, and the rest is still on its way", () => {
    const part = { reference: "re_1", amount: 400, state: "succeeded" } as const;
    const before = { ...started, sent_back: [part] };
    const decision = end(before, newsOf("failed", { reference: "re_1", amount: 400 }));
    expect(decision.result.outcome).toBe("returning");
    expect(moneyOf(decision)).toMatchObject({
      sent_back: [{ ...part, state: "failed" }],
      return: { key_attempt: 1 },
      updated_at: now + 1,
    });
    expect(decision.changes?.alerts).toMatchObject([
      {
        id: base.ids.alerts[1],
        data: { refund_reference: "re_1", amount: 400 },
        created_at: now + 1,
      },
    ]);
  });

  test("after another refund has returned the money is kept besides", () => {
    const other = { reference: "re_0", amount: 2_000, state: "succeeded" } as const;
    const before: PaymentRecord = { ...started, state: "returned", sent_back: [other] };
    const decision = end(before, newsOf("succeeded", { reference: "re_1" }));
    expect(decision.result.outcome).toBe("returned");
    expect(moneyOf(decision).sent_back).toEqual([other, { ...other, reference: "re_1" }]);
  });
});
