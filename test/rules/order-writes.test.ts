import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import { EventDrafts } from "../../src/rules/orders/order-events.ts";
import type { SubscriptionRecord } from "../../src/rules/payments/payment-records.ts";
import { now, order, refundOf } from "./refund-fixtures.ts";

test("a step that changes nothing writes nothing", () => {
  expect(orderChanges({})).toEqual({
    session: null,
    order: null,
    attempts: [],
    payments: [],
    refunds: [],
    disputes: [],
    subscription: null,
    stock: [],
    taken_keys: [],
    coupons: [],
    open_hold: null,
    events: [],
    alerts: [],
    withdrawn: [],
  });
});

describe("the events of a step", () => {
  const dataOf = (events: EventDrafts) => events.list.map(({ data }) => data(7));

  test("tell of a refund, and of one that failed, with the status of before", () => {
    const events = new EventDrafts(["evt_1", "evt_2"], now);
    const refund = refundOf("a", { reason: "broken", failure_reason: "closed" });
    events.refund(order, "paid", refund);
    events.refundFailed(order, "refunded", refund);

    const created_at = new Date(now).toISOString();
    const shown = { id: "rf_a", amount: 500, reason: "broken", created_at };
    expect(dataOf(events)).toEqual([
      {
        order: expect.objectContaining({ id: order.id, number: order.number }),
        previous_status: "paid",
        refund: shown,
      },
      {
        order: expect.objectContaining({ id: order.id }),
        previous_status: "refunded",
        refund: { ...shown, failure_reason: "closed" },
      },
    ]);
    expect(events.list.map(({ id, type, created_at: time }) => [id, type, time])).toEqual([
      ["evt_1", "order.refunded", now],
      ["evt_2", "order.refund_failed", now],
    ]);
  });

  test("tell of a subscription with its order, or without one", () => {
    const events = new EventDrafts(["evt_1", "evt_2"], now);
    const subscription = {
      id: "sub_1",
      current_period_start: now,
      current_period_end: now,
      canceled_at: null,
      ended_at: null,
      customer: order.customer,
      created_at: now,
      updated_at: now,
    } as SubscriptionRecord;
    events.subscription("subscription.created", subscription, { ...order, number: 0 });
    events.subscription("subscription.canceled", subscription, null);
    expect(dataOf(events)).toMatchObject([
      { subscription: { id: "sub_1" }, order: { id: order.id, number: 7, status: "paid" } },
      { subscription: { id: "sub_1" }, order: null },
    ]);
  });

  test("are never more than the step has ids for", () => {
    const events = new EventDrafts([], now);
    expect(() => events.order("order.paid", order, null)).toThrow("more events than it has ids");
  });
});
