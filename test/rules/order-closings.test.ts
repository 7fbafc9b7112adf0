import { describe, expect, test } from "vitest";
import { orderChanges } from "../../src/rules/orders/order-changes.ts";
import { decideClosing, decideFailing } from "../../src/rules/orders/order-closing.ts";
import type { Closing, Failing } from "../../src/rules/orders/order-commands.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import type { SessionRecord } from "../../src/rules/records.ts";
import {
  base,
  coupon,
  dataOf,
  failed,
  fresh,
  idle,
  pendingOrder as order,
  paid,
  pending,
  session,
  stock,
  types,
} from "../payments/order-fixtures.ts";

const minute = 60_000;
const key = coupon.customer_key;

describe("the end of a session's payment", () => {
  const close = (changes: Partial<Closing> = {}): Closing => ({
    ...base,
    reason: "canceled",
    close_session: false,
    ...changes,
  });
  const closed = { ...session, expires_at: base.now };

  test.each<[string, OrderSnapshot, Closing, string, SessionRecord | null]>([
    ["of an unknown session", { ...fresh, session: null }, close(), "unknown_session", null],
    ["without an order", fresh, close(), "no_order", null],
    [
      "without an order, closes the session",
      fresh,
      close({ close_session: true }),
      "no_order",
      closed,
    ],
    [
      "of a session that has expired closes nothing more",
      fresh,
      close({ close_session: true, now: session.expires_at }),
      "no_order",
      null,
    ],
    [
      "in the session's last millisecond",
      fresh,
      close({ close_session: true, now: session.expires_at - 1 }),
      "no_order",
      { ...session, expires_at: session.expires_at - 1 },
    ],
    ["of a session that is complete", paid, close({ close_session: true }), "unchanged", null],
    ["of an order that has failed", failed, close(), "unchanged", null],
    ["with a payment in flight", pending, close(), "in_flight", null],
    [
      "by time, before it is over",
      idle,
      close({ reason: "expired", now: session.expires_at - 1 }),
      "unchanged",
      null,
    ],
  ])("%s: %s", (_name, snapshot, command, outcome, written) => {
    const decision = decideClosing(snapshot, command);
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.changes).toEqual(written && orderChanges({ session: written }));
  });

  test.each([
    ["by time, once it is over", close({ reason: "expired", now: session.expires_at }), "expired"],
    ["by the buyer", close(), "canceled"],
    [
      "by the host, who closes it now",
      close({ reason: "expired", close_session: true }),
      "expired",
    ],
  ])("%s: the order fails and gives back what it held", (_name, command, code) => {
    const decision = decideClosing(idle, command);
    expect(decision.result).toMatchObject({
      outcome: "closed",
      order: { status: "failed", failure_code: code, holds: "none", sweep_at: null },
    });
    const expires_at = command.close_session ? command.now : session.expires_at;
    expect(decision.changes).toMatchObject({
      session: { expires_at, payment_status: "unpaid" },
      attempts: [],
      stock: stock(0, -2),
      coupons: [{ used_delta: -1, customer_key: key, guarded: false }],
    });
    expect(types(decision)).toEqual(["order.failed"]);
  });

  const fail = (changes: Partial<Failing> = {}): Failing => ({
    store_id: order.store_id,
    livemode: order.livemode,
    order_id: order.id,
    failure_code: "fraud",
    ids: base.ids,
    now: base.now,
    ...changes,
  });

  test.each<[string, OrderSnapshot, string]>([
    ["of an unknown order", { ...pending, order: null }, "unknown_order"],
    ["of an order that has failed", failed, "unchanged"],
    ["of an order that is paid", paid, "invalid_transition"],
  ])("by the host, %s: %s", (_name, snapshot, outcome) => {
    const decision = decideFailing(snapshot, fail());
    expect([decision.result.outcome, decision.changes]).toEqual([outcome, null]);
  });

  test.each([
    ["within a minute by its caller", false, base.now + minute],
    ["by the next maintenance", true, base.now],
  ])(
    "by the host ends the attempts in flight, and settles pieces %s",
    (_name, settled_later, at) => {
      const snapshot = { ...pending, order: { ...order, reserved: true } };
      const decision = decideFailing(snapshot, fail({ settled_later }));
      expect(decision.result).toMatchObject({
        outcome: "failed",
        order: { status: "failed", failure_code: "fraud", sweep_at: at },
      });
      expect(decision.changes).toMatchObject({
        attempts: [{ id: "pay_1", state: "unknown", check_at: base.now, expires_at: base.now }],
        stock: stock(0, -2),
      });
      expect(dataOf(decision, 0)).toMatchObject({ previous_status: "pending" });
    },
  );

  test("by the host of an order that holds nothing gives nothing back", () => {
    const snapshot = { ...idle, order: { ...order, holds: "none" as const } };
    expect(decideFailing(snapshot, fail()).changes).toMatchObject({ stock: [], coupons: [] });
  });

  test("by the host of an order without a session leaves none", () => {
    expect(decideFailing({ ...idle, session: null }, fail()).changes?.session).toBeNull();
  });
});
