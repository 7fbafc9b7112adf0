import { describe, expect, test } from "vitest";
import { settlementTime, withReservationSettled } from "../../src/rules/orders/order-record.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import {
  pendingOrder as order,
  pending,
  session,
  told,
  types,
} from "../payments/order-fixtures.ts";
import { attempt, report, withAttempts } from "./payment-reports.ts";

const minute = 60_000;
const hour = 60 * minute;
const { now } = told("pending");

describe("the order that is paid", () => {
  test("sells its goods, ends other attempts and shows how it was paid", () => {
    const other = attempt({ id: "pay_2", method_type: null, expires_at: now + hour });
    const snapshot = withAttempts(attempt({ method_type: "card" }), other);
    const decision = decidePayment(snapshot, report("succeeded"));
    expect(decision.changes).toMatchObject({
      order: {
        status: "paid",
        payment_method_type: "card",
        holds: "consumed",
        reserved: false,
        sweep_at: null,
        coupon_key: order.coupon_key,
        subscription_id: null,
        period_start: null,
        paid_at: now,
        updated_at: now,
      },
      attempts: [
        { id: "pay_1", state: "succeeded" },
        { id: "pay_2", state: "unknown", check_at: now, expires_at: now },
      ],
      subscription: null,
    });
  });

  test("keeps the customer of the coupon use that it held", () => {
    const other = pending.coupon && { ...pending.coupon, customer_key: "email:new@example.com" };
    const decision = decidePayment({ ...pending, coupon: other }, report("succeeded"));
    expect(decision.changes).toMatchObject({
      order: { coupon_key: order.coupon_key },
      coupons: [],
    });
  });

  test.each([
    ["all that it held are there", 2, []],
    ["one that it held is gone", 1, ["oversold"]],
  ])("sells what it held, whatever others hold: %s", (_name, count, alerts) => {
    const pieces = new Map([["a", { stock: count, held: 9, counted: true }]]);
    const decision = decidePayment({ ...pending, stock: pieces }, report("succeeded"));
    expect(decision.changes?.alerts.map(({ type }) => type)).toEqual(alerts);
  });

  test("keeps its method when the attempt has none", () => {
    const decision = decidePayment(
      withAttempts(attempt({ method_type: null })),
      report("succeeded"),
    );
    expect(decision.changes?.order?.payment_method_type).toBe(order.payment_method_type);
  });

  test.each([
    ["its own catalog reserved the pieces", true, false, now + minute],
    ["the host's catalog counts them", false, true, now + minute],
    ["nobody else counts them", false, false, null],
  ])("has its pieces settled: %s", (_name, reserved, external_stock, sweep_at) => {
    const snapshot = { ...pending, order: { ...order, reserved } };
    const decision = decidePayment(snapshot, report("succeeded", {}, { external_stock }));
    expect(decision.changes?.order).toMatchObject({
      reserved: reserved || external_stock,
      sweep_at,
    });
  });

  test.each([
    ["by the caller, within a minute", true, undefined, now + minute],
    ["by the caller, when it says so", true, false, now + minute],
    ["by the next maintenance", true, true, now],
    ["never, without a reservation", false, true, null],
  ])("has its reservation settled %s", (_name, reserved, settled_later, time) => {
    const settlement = settled_later === undefined ? {} : { settled_later };
    expect(settlementTime(reserved, now, settlement)).toBe(time);
  });

  test.each([
    ["pending", true, false],
    ["paid", true, true],
    ["failed", true, true],
    ["paid", false, false],
  ] as const)("that is %s and has a reservation (%j) is settled: %j", (...row) => {
    const [status, reserved, isSettled] = row;
    const before = { ...order, status, reserved, sweep_at: now };
    expect(withReservationSettled(before)).toEqual(
      isSettled ? { ...before, reserved: false, sweep_at: null } : null,
    );
  });

  test("with a recurring product begins a subscription", () => {
    const recurring = { interval: "month", interval_count: 1 } as const;
    const lines = session.lines.map((line) => ({ ...line, recurring }));
    const snapshot = { ...pending, session: { ...session, lines } };
    const decision = decidePayment(snapshot, report("succeeded"));
    expect(decision.changes).toMatchObject({
      order: { subscription_id: "sub_1", period_start: now },
      subscription: { id: "sub_1", status: "active", latest_order_id: order.id },
    });
    expect(types(decision)).toEqual([
      "order.paid",
      "checkout.session.completed",
      "subscription.created",
    ]);
  });
});
