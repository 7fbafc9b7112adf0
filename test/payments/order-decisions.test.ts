import { describe, expect, test } from "vitest";
import { decideClosing } from "../../src/rules/orders/order-closing.ts";
import { decideCompletion } from "../../src/rules/orders/order-completion.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { decideSubmission } from "../../src/rules/orders/order-submission.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import type { AttemptRecord } from "../../src/rules/payments/payment-records.ts";
import {
  base,
  completion,
  coupon,
  dataOf,
  failed,
  fresh,
  held,
  now,
  paid,
  pending,
  pieces,
  session,
  stock,
  submission,
  told,
  types,
  withStatus,
  written,
} from "./order-fixtures.ts";

describe("first payment submission", () => {
  test("the order is pending with its holds summed by product, a coupon use, an attempt in flight and order.created", () => {
    const decision = decideSubmission(fresh, submission);
    expect(decision).toMatchObject({
      result: {
        outcome: "submitted",
        order: { id: "ord_1", number: 0, status: "pending", holds: "held" },
      },
    });
    expect(decision.result).toMatchObject({
      attempt: {
        id: "pay_1",
        state: "in_flight",
        amount: 2000,
        currency: "BRL",
        order_id: "ord_1",
      },
    });
    expect(decision.changes).toMatchObject({
      session: { status: "open", payment_status: "pending" },
      stock: held,
      coupons: [
        {
          coupon_id: "cpn_1",
          used_delta: 1,
          customer_key: "email:ana@example.com",
          guarded: true,
        },
      ],
    });
    expect(types(decision)).toEqual(["order.created"]);
    expect(dataOf(decision, 0)).toMatchObject({
      order: { number: 7, status: "pending", amount_total: 2000 },
      previous_status: null,
    });
  });

  const refusals: readonly [name: string, snapshot: OrderSnapshot, outcome: string][] = [
    ["no session", { ...fresh, session: null }, "unknown_session"],
    ["too few pieces", { ...fresh, stock: new Map([["b", pieces(1)]]) }, "insufficient_stock"],
    ["a coupon that is gone", { ...fresh, coupon: null }, "coupon_invalid"],
    ["a coupon that is used up", { ...fresh, coupon: { ...coupon, used: 5 } }, "coupon_invalid"],
    [
      "a coupon that this buyer has used up",
      { ...fresh, coupon: { ...coupon, max_uses_per_customer: 1, used_by_customer: 1 } },
      "coupon_invalid",
    ],
    [
      "a session past its expiry",
      { ...fresh, session: { ...session, expires_at: now + 1 } },
      "session_expired",
    ],
  ];
  test.each(refusals)("%s: no order, nothing is written", (_name, snapshot, outcome) => {
    expect(decideSubmission(snapshot, submission)).toEqual({
      result: { outcome },
      changes: null,
    });
  });

  test("a total of 0 is paid without a gateway", () => {
    const free = { ...fresh, session: { ...session, amount_total: 0 } };
    const decision = decideSubmission(free, submission);
    expect(decision).toMatchObject({
      result: { outcome: "submitted", attempt: null, order: { status: "paid", paid_at: now + 1 } },
    });
    expect(types(decision)).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
    expect(decision.changes?.stock).toEqual(
      held.map((change) => ({ ...change, stock_delta: -2, held_delta: 0 })),
    );
  });
});

describe("pending", () => {
  test("a submission while an attempt is in flight gets that attempt", () => {
    const other = { ...submission, attempt: { ...submission.attempt, id: "pay_2" } };
    expect(decideSubmission(pending, other)).toMatchObject({
      result: { outcome: "attempted", attempt: { id: "pay_1" } },
      changes: null,
    });
  });

  test("a submission repeated with its ids gives the first answer, so that the gateway is asked", () => {
    expect(decideSubmission(pending, submission)).toMatchObject({
      result: { outcome: "submitted", attempt: { id: "pay_1" } },
      changes: null,
    });
    expect(decideSubmission(failed, submission)).toMatchObject({
      result: { outcome: "attempted", attempt: { state: "failed" } },
      changes: null,
    });
  });

  test("a success consumes the hold, completes the session and writes order.paid and checkout.session.completed", () => {
    const decision = decidePayment(pending, told("succeeded"));
    expect(decision).toMatchObject({
      result: {
        outcome: "paid",
        order: { status: "paid", holds: "consumed" },
        attempt: { state: "succeeded" },
      },
    });
    expect(decision.changes).toMatchObject({
      session: { status: "complete", payment_status: "paid" },
      coupons: [],
      alerts: [],
    });
    expect(decision.changes?.stock).toEqual(stock(-2, -2));
    expect(types(decision)).toEqual(["order.paid", "checkout.session.completed"]);
    expect(dataOf(decision, 0)).toMatchObject({
      order: { number: 7, status: "paid" },
      previous_status: "pending",
    });
    expect(dataOf(decision, 1)).toMatchObject({
      checkout_session: {
        id: "cs_1",
        status: "complete",
        payment_status: "paid",
        checkout_url: null,
      },
      order: { id: "ord_1", number: 7, status: "paid" },
    });
  });

  test("money after the session's expiry still pays", () => {
    const late = { ...told("succeeded"), now: session.expires_at + 86_400_000 };
    expect(decidePayment(pending, late)).toMatchObject({
      result: { outcome: "paid" },
      changes: { session: { status: "complete" } },
    });
  });

  test("a failure releases hold and coupon use and writes order.failed with its code", () => {
    const decision = decidePayment(pending, told("failed", { failure_code: "fraud" }));
    expect(decision).toMatchObject({
      result: {
        outcome: "failed",
        order: { status: "failed", failure_code: "fraud", holds: "none" },
      },
    });
    expect(decision.changes?.stock).toEqual(stock(0, -2));
    expect(decision.changes).toMatchObject({
      session: { status: "open", payment_status: "unpaid" },
      coupons: [{ used_delta: -1, customer_key: "email:ana@example.com", guarded: false }],
    });
    expect(types(decision)).toEqual(["order.failed"]);
  });

  test("a result that is still pending stores reference and redirect and changes nothing else", () => {
    const decision = decidePayment(
      pending,
      told("pending", { next_action: { type: "redirect", url: "https://psp.example.com/3ds" } }),
    );
    expect(decision).toMatchObject({
      result: {
        outcome: "pending",
        attempt: { state: "in_flight", next_action: { url: "https://psp.example.com/3ds" } },
      },
    });
    expect(decision.changes).toMatchObject({
      order: pending.order,
      session: null,
      stock: [],
      coupons: [],
      events: [],
    });
  });

  test.each([{ amount: 1999 }, { currency: "USD" }])("%o stays pending with an alert", (wrong) => {
    const decision = decidePayment(pending, told("succeeded", wrong));
    expect(decision).toMatchObject({
      result: {
        outcome: "mismatch",
        order: { status: "pending" },
        attempt: { state: "in_flight" },
      },
    });
    expect(decision.changes).toMatchObject({
      session: null,
      stock: [],
      events: [],
      alerts: [{ type: "payment_mismatch" }],
    });
  });

  const cancel = { ...base, reason: "canceled" as const, close_session: false };
  test("a buyer's cancel is refused while a payment is in flight; otherwise the order fails (canceled) and is released", () => {
    expect(decideClosing(pending, cancel)).toMatchObject({
      result: { outcome: "in_flight" },
      changes: null,
    });
    const idle = { ...pending, attempts: [] };
    const decision = decideClosing(idle, cancel);
    expect(decision).toMatchObject({
      result: { outcome: "closed", order: { status: "failed", failure_code: "canceled" } },
    });
    expect(decision.changes?.stock).toEqual(stock(0, -2));
    expect(types(decision)).toEqual(["order.failed"]);
    expect(decideClosing(fresh, cancel).result.outcome).toBe("no_order");
    expect(decideClosing(paid, cancel)).toMatchObject({
      result: { outcome: "unchanged" },
      changes: null,
    });
  });

  test("one payment's failure leaves the order to another that is in flight", () => {
    const host = decideCompletion(pending, { ...completion, status: "failed" });
    expect(host).toMatchObject({
      result: { outcome: "unchanged", order: { status: "pending" } },
      changes: { events: [], stock: [] },
    });
    const second: AttemptRecord | undefined = pending.attempts[0] && {
      ...pending.attempts[0],
      id: "pay_2",
    };
    const both = { ...pending, attempts: [...pending.attempts, ...(second ? [second] : [])] };
    expect(decidePayment(both, told("failed"))).toMatchObject({
      result: { outcome: "unchanged", order: { status: "pending" } },
    });
  });
});

describe("failed", () => {
  const again = { ...submission, attempt: { ...submission.attempt, id: "pay_2" } };

  test("a second try makes the same order pending and takes hold and coupon use again, without an event", () => {
    const decision = decideSubmission(failed, again);
    expect(decision).toMatchObject({
      result: {
        outcome: "submitted",
        order: { id: "ord_1", number: 7, status: "pending", failure_code: null },
      },
    });
    expect(decision.changes).toMatchObject({
      stock: held,
      coupons: [{ used_delta: 1, guarded: true }],
      events: [],
    });
  });

  test("a second try for which nothing is left leaves the order failed", () => {
    expect(
      decideSubmission({ ...failed, stock: new Map([["a", pieces(1)]]) }, again),
    ).toMatchObject({
      result: { outcome: "insufficient_stock" },
      changes: null,
    });
    expect(decideSubmission({ ...failed, coupon: { ...coupon, used: 5 } }, again)).toMatchObject({
      result: { outcome: "coupon_invalid" },
      changes: null,
    });
  });

  test("a late success pays the order and takes goods that are there without an alert", () => {
    const decision = decidePayment(failed, told("succeeded"));
    expect(decision).toMatchObject({
      result: { outcome: "paid", order: { status: "paid", failure_code: null } },
    });
    expect(decision.changes).toMatchObject({
      coupons: [{ used_delta: 1, guarded: false }],
      alerts: [],
      session: { status: "complete" },
    });
    expect(decision.changes?.stock).toEqual(stock(-2, 0));
    expect(types(decision)).toEqual(["order.paid", "checkout.session.completed"]);
    expect(dataOf(decision, 0)).toMatchObject({ previous_status: "failed" });
  });

  test.each([
    ["in all", { used: 5 }],
    ["for this buyer", { max_uses_per_customer: 1, used_by_customer: 1 }],
  ])(
    "a late success for which nothing is left alerts the owner: oversold, coupon_overused (%s)",
    (_name, uses) => {
      const decision = decidePayment(
        { ...failed, stock: new Map([["a", pieces(1)]]), coupon: { ...coupon, ...uses } },
        told("succeeded"),
      );
      expect(decision.result.outcome).toBe("paid");
      expect(decision.changes?.alerts.map(({ id, type }) => [id, type])).toEqual([
        ["alr_1", "oversold"],
        ["alr_2", "coupon_overused"],
      ]);
    },
  );

  test("a repeated failure changes nothing", () => {
    expect(decidePayment(failed, told("failed"))).toMatchObject({
      result: { outcome: "unchanged" },
      changes: null,
    });
  });
});

describe("checkout.complete", () => {
  test("a session without an order gets one that is created and paid in one step, even when sold out or expired", () => {
    const late = { ...completion, now: session.expires_at + 1 };
    const decision = decideCompletion({ ...fresh, stock: new Map([["a", pieces(0)]]) }, late);
    expect(decision).toMatchObject({
      result: { outcome: "paid", order: { id: "ord_1", number: 0, status: "paid" } },
    });
    expect(types(decision)).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
    expect(decision.changes?.alerts.map(({ type }) => type)).toEqual(["oversold"]);
    expect(dataOf(decision, 1)).toMatchObject({ order: { number: 7 }, previous_status: "pending" });
  });

  test("a pending order's hold is consumed; a failed order's goods are taken without a guard", () => {
    const onPending = decideCompletion(pending, completion);
    expect(onPending.changes?.stock).toEqual(stock(-2, -2));
    expect(onPending.changes?.coupons).toEqual([]);
    expect(types(onPending)).toEqual(["order.paid", "checkout.session.completed"]);
    const onFailed = decideCompletion(failed, completion);
    expect(onFailed.changes?.stock).toEqual(stock(-2, 0));
    expect(onFailed.changes?.coupons).toMatchObject([{ used_delta: 1, guarded: false }]);
  });

  test("a repeated reference changes nothing; one that failed may become paid", () => {
    const done = written(fresh, decideCompletion(fresh, completion));
    const repeat = { ...completion, attempt_id: "pay_10" };
    expect(decideCompletion(done, repeat)).toMatchObject({
      result: { outcome: "unchanged", order: { status: "paid" } },
      changes: null,
    });
    const declined = written(fresh, decideCompletion(fresh, { ...completion, status: "failed" }));
    expect(declined.order).toMatchObject({ status: "failed", failure_code: "declined" });
    expect(decideCompletion(declined, repeat)).toMatchObject({
      result: { outcome: "paid" },
      changes: { attempts: [{ id: "pay_9", state: "succeeded" }] },
    });
  });

  test("another amount or currency, or no session, writes nothing", () => {
    expect(decideCompletion(fresh, { ...completion, amount: 1 })).toMatchObject({
      result: { outcome: "mismatch" },
      changes: null,
    });
    expect(decideCompletion(fresh, { ...completion, currency: "USD" })).toMatchObject({
      result: { outcome: "mismatch" },
      changes: null,
    });
    expect(decideCompletion({ ...fresh, session: null }, completion)).toMatchObject({
      result: { outcome: "unknown_session" },
      changes: null,
    });
  });
});

describe("paid and later", () => {
  test.each(["paid", "partially_refunded", "refunded", "chargeback"] as const)(
    "%s: another attempt's success is a duplicate",
    (status) => {
      const attempt = { ...submission.attempt, id: "pay_2" };
      const second = written(failed, decideSubmission(failed, { ...submission, attempt }));
      const settled = withStatus(written(second, decideCompletion(second, completion)), status);
      const decision = decidePayment(settled, { ...told("succeeded"), attempt_id: "pay_2" });
      expect(decision).toMatchObject({
        result: { outcome: "duplicate", order: { status }, attempt: { state: "duplicate" } },
      });
      expect(decision.changes).toMatchObject({
        session: null,
        stock: [],
        events: [],
        alerts: [{ type: "duplicate_payment", subject: "pay_2" }],
      });
      expect(
        decideCompletion(settled, { ...completion, attempt_id: "pay_10", reference: "r2" }),
      ).toMatchObject({ result: { outcome: "duplicate", order: { status } } });
    },
  );

  test("a paid order takes no submission and no failure", () => {
    const other = { ...submission, attempt: { ...submission.attempt, id: "pay_2" } };
    expect(decideSubmission(paid, other)).toMatchObject({
      result: { outcome: "already_paid" },
      changes: null,
    });
    expect(decidePayment(paid, told("failed"))).toMatchObject({
      result: { outcome: "unchanged" },
      changes: null,
    });
    expect(decidePayment(paid, told("succeeded"))).toMatchObject({
      result: { outcome: "unchanged" },
      changes: null,
    });
    expect(decidePayment(paid, { ...told("succeeded"), attempt_id: "pay_2" })).toMatchObject({
      result: { outcome: "unknown_attempt" },
      changes: null,
    });
  });
});
