import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import type {
  AttemptRecord,
  MoneyReturn,
  PaymentRecord,
  ReturnRefund,
} from "../../src/rules/payments/payment-records.ts";
import { noteReturn } from "../../src/rules/payments/return-message.ts";
import { amountReturned, applyReturnRefund } from "../../src/rules/payments/return-refunds.ts";
import type { RefundMessage } from "../../src/rules/refunds/refund-commands.ts";
import { alertOf, attempt, booked, ids, message, minute, now, order } from "./refund-fixtures.ts";

const later = now + 1;
const duplicate: PaymentRecord = { ...booked, state: "duplicate" };
const refund = (
  reference: string | null,
  amount: number,
  state: ReturnRefund["state"] = "succeeded",
): ReturnRefund => ({ reference, amount, state });

const apply = (
  payment: PaymentRecord,
  report: ReturnRefund,
  attempts: readonly AttemptRecord[] = [],
) => applyReturnRefund({ order, payment, attempts }, report, { ids, now: later });

describe("what went back of money that pays nothing", () => {
  test.each<[string, readonly ReturnRefund[], number]>([
    ["nothing", [], 0],
    ["one refund", [refund("re_1", 400)], 400],
    ["two refunds", [refund("re_1", 400), refund(null, 1)], 401],
    ["one that failed beside one that did not", [refund("a", 400, "failed"), refund("b", 7)], 7],
    ["one that failed", [refund("re_1", 400, "failed")], 0],
  ])("%s", (_name, sent_back, amount) => {
    expect(amountReturned({ sent_back })).toBe(amount);
  });

  test.each<[string, readonly ReturnRefund[], ReturnRefund, readonly ReturnRefund[] | null]>([
    ["the first refund", [], refund("re_1", 400), [refund("re_1", 400)]],
    [
      "another refund of that amount",
      [refund("re_1", 400)],
      refund("re_2", 400),
      [refund("re_1", 400), refund("re_2", 400)],
    ],
    ["the same refund again", [refund("re_1", 400)], refund("re_1", 400), null],
    [
      "the same refund again, among others",
      [refund("re_0", 9, "failed"), refund("re_1", 400)],
      refund("re_1", 400),
      null,
    ],
    ["a failure again", [refund("re_1", 400, "failed")], refund("re_1", 400, "failed"), null],
    ["a success after a failure", [refund("re_1", 400, "failed")], refund("re_1", 400), null],
    [
      "a failure after a success",
      [refund("re_0", 100), refund("re_1", 400)],
      refund("re_1", 400, "failed"),
      [refund("re_0", 100), refund("re_1", 400, "failed")],
    ],
    [
      "a failure of another refund",
      [refund("re_1", 400)],
      refund("re_2", 400, "failed"),
      [refund("re_1", 400), refund("re_2", 400, "failed")],
    ],
    [
      "the name of a refund that had none",
      [refund("re_0", 400), refund(null, 400)],
      refund("re_1", 400),
      [refund("re_0", 400), refund("re_1", 400)],
    ],
    [
      "a name for another amount than the one without a name",
      [refund(null, 400)],
      refund("re_1", 401),
      [refund(null, 400), refund("re_1", 401)],
    ],
    ["a refund without a name again", [refund(null, 400)], refund(null, 400), null],
    [
      "a failure without a name of one without a name",
      [refund(null, 400)],
      refund(null, 400, "failed"),
      [refund(null, 400, "failed")],
    ],
    [
      "a failure by name, besides one without a name of that amount",
      [refund(null, 400), refund("re_1", 400)],
      refund("re_1", 400, "failed"),
      [refund(null, 400), refund("re_1", 400, "failed")],
    ],
  ])("is told of: %s", (_name, sent_back, report, after) => {
    const applied = apply({ ...duplicate, sent_back }, report);
    expect(applied?.payment.sent_back ?? null).toEqual(after);
  });

  test.each<[string, readonly ReturnRefund[], ReturnRefund, boolean]>([
    ["a success that fails", [refund("re_1", 400)], refund("re_1", 400, "failed"), true],
    ["one that failed at once", [], refund("re_1", 400, "failed"), false],
    ["another one's failure", [refund("re_1", 400)], refund("re_2", 400, "failed"), false],
    ["a name for a success", [refund(null, 400)], refund("re_1", 400), false],
    ["a success", [], refund("re_1", 400), false],
  ])("is taken back, and the owner is told: %s", (_name, sent_back, report, isTold) => {
    const applied = apply({ ...duplicate, sent_back }, report);
    expect(applied?.changes).toEqual(
      orderChanges({
        order,
        payments: applied ? [applied.payment] : [],
        alerts: isTold
          ? [
              alertOf({
                id: "alr_2",
                type: "return_failed",
                subject: duplicate.id,
                data: {
                  payment_id: duplicate.id,
                  reference: "money",
                  refund_reference: "re_1",
                  amount: 400,
                  currency: "BRL",
                },
                created_at: later,
              }),
            ]
          : [],
      }),
    );
  });

  test.each<
    [string, PaymentRecord["state"], readonly ReturnRefund[], ReturnRefund, string, boolean]
  >([
    ["a part of it", "duplicate", [], refund("re_1", 1_999), "duplicate", true],
    ["all of it", "duplicate", [], refund("re_1", 2_000), "returned", false],
    ["more than all", "unapplied", [], refund("re_1", 2_001), "returned", false],
    ["the last part", "returning", [refund("re_0", 1_500)], refund("re_1", 500), "returned", false],
    [
      "less by a failure, while the rest is on its way",
      "returning",
      [refund("re_1", 500)],
      refund("re_1", 500, "failed"),
      "returning",
      true,
    ],
    [
      "less by a failure, after all was back",
      "returned",
      [refund("re_0", 1_500), refund("re_1", 500)],
      refund("re_1", 500, "failed"),
      "return_failed",
      false,
    ],
    [
      "still all, without a refund too many",
      "returned",
      [refund("re_0", 2_000), refund("re_1", 500)],
      refund("re_1", 500, "failed"),
      "returned",
      false,
    ],
  ])("is %s", (_name, before, sent_back, report, state, isAskedAgain) => {
    const check_at = now + minute;
    const applied = apply({ ...duplicate, state: before, sent_back, check_at }, report);
    expect(applied?.payment).toMatchObject({
      state,
      check_at: isAskedAgain ? check_at : null,
      updated_at: later,
    });
  });
});

describe("the attempt of money that went back", () => {
  const all = refund("re_1", 2_000);
  const takenBack = { ...all, state: "failed" } as const;
  const returned: Partial<PaymentRecord> = { state: "returned", sent_back: [all] };

  test.each<
    [
      string,
      Partial<PaymentRecord>,
      Partial<AttemptRecord>,
      ReturnRefund,
      AttemptRecord["state"] | null,
    ]
  >([
    ["is returned with it", {}, { state: "duplicate" }, all, "returned"],
    ["is a duplicate again", returned, { state: "returned" }, takenBack, "duplicate"],
    ["stays a duplicate after a part", {}, { state: "duplicate" }, refund("re_1", 1), null],
    ["is returned already", {}, { state: "returned" }, all, null],
    ["is another one", {}, { state: "duplicate", id: "pay_7" }, all, null],
    ["has paid the order", {}, { state: "succeeded" }, all, null],
    ["has not paid yet", {}, { state: "in_flight" }, all, null],
    ["had failed", {}, { state: "failed" }, takenBack, null],
  ])("%s", (_name, money, own, report, state) => {
    const before = { ...attempt, check_at: now + minute, ...own };
    const applied = apply({ ...duplicate, ...money }, report, [before]);
    expect(applied?.changes.attempts).toEqual(
      state === null ? [] : [{ ...before, state, check_at: null, updated_at: later }],
    );
  });
});

describe("a message about a refund of money that pays nothing", () => {
  const way: MoneyReturn = {
    refund_id: "rf_1",
    key_attempt: 1,
    amount: 2_000,
    requested_at: now,
    tries: 3,
    pending: true,
    refund_reference: null,
  };
  const used: MoneyReturn = {
    ...way,
    key_attempt: 2,
    requested_at: null,
    pending: false,
    refund_reference: null,
  };
  const returning = (changes: Partial<MoneyReturn> = {}): PaymentRecord => ({
    ...duplicate,
    state: "returning",
    return: { ...way, ...changes },
  });
  const note = (payment: PaymentRecord, command: RefundMessage) =>
    noteReturn({ order, payment, attempts: [] }, command);

  test("that is under way changes nothing: maintenance asks about it", () => {
    expect(note(returning(), message({ status: "pending" }))).toEqual({
      result: { outcome: "unchanged", order },
      changes: null,
    });
  });

  test("counts once by the provider's id of the refund", () => {
    const known = { ...duplicate, sent_back: [refund("re_1", 500)] };
    expect(note(known, message())).toEqual({
      result: { outcome: "unchanged", order },
      changes: null,
    });
  });

  test("writes the money with its amount, and never the order's sums", () => {
    const decision = note(duplicate, message());
    expect(decision).toEqual({
      result: { outcome: "applied", order },
      changes: orderChanges({
        order,
        payments: [{ ...duplicate, sent_back: [refund("re_1", 500)], updated_at: later }],
      }),
    });
  });

  const ours = { refund_id: "rf_1" };
  const named = { refund_reference: "re_1" };

  test.each<
    [string, Partial<MoneyReturn>, Partial<RefundMessage>, "succeeded" | "failed", boolean]
  >([
    ["success by the provider's id", named, {}, "succeeded", true],
    ["failure by the provider's id", named, {}, "failed", true],
    ["success by our id", {}, ours, "succeeded", true],
    ["failure by our id, which an earlier key may have had", {}, ours, "failed", false],
    ["success by another id", {}, { refund_id: "rf_2" }, "succeeded", false],
    ["success without our id", {}, {}, "succeeded", false],
    [
      "success by our id under another name",
      { refund_reference: "re_0" },
      ours,
      "succeeded",
      false,
    ],
    ["success by our id before it was sent", { requested_at: null }, ours, "succeeded", false],
    ["failure before it was sent", { ...named, requested_at: null }, {}, "failed", false],
  ])("brings our own return its result, which uses its key up: %s", (...row) => {
    const [, changes, command, status, isResult] = row;
    const before = returning(changes);
    const decision = note(before, message({ status }, command));
    expect(decision.changes?.payments).toMatchObject([
      { return: isResult ? used : before.return, sent_back: [refund("re_1", 500, status)] },
    ]);
  });
});
