import type { FailureCode } from "../contract/schemas.ts";
import type { Completion, PaymentApplication } from "../storage/order-store.ts";
import type { AlertRecord, AttemptRecord, OrderRecord, SessionRecord } from "../storage/records.ts";
import {
  alert,
  completeSessionRecord,
  couponOf,
  type Decision,
  eventWriter,
  isUsedUp,
  paidOrder,
  type Snapshot,
  stockOf,
  sums,
} from "./order-parts.ts";

/** The money is there: a hold is consumed, else the goods are taken unguarded. */
export function payOrder<O extends string>(
  snapshot: Snapshot,
  before: OrderRecord,
  session: SessionRecord | null,
  attempt: AttemptRecord,
  command: Pick<Completion, "ids" | "now" | "checkout_url"> | PaymentApplication,
  outcome: O,
): Decision<O> {
  const { now } = command;
  const isNew = snapshot.order === null;
  const events = eventWriter(command.ids.events, now);
  const pending: OrderRecord = isNew ? { ...before, status: "pending" } : before;
  if (isNew) events.order("order.created", pending, null);
  const held = before.holds === "held";
  const paid = { ...paidOrder(before, now), coupon_key: held ? before.coupon_key : (snapshot.coupon?.customer_key ?? null) };
  events.order("order.paid", paid, isNew ? "pending" : (snapshot.order?.status ?? null));
  const complete = session && completeSessionRecord(session);
  if (complete) events.completed(complete, command.checkout_url, paid);

  // Without a hold the owner is told when there was nothing left to take.
  const alerts: AlertRecord[] = [];
  const stock = session ? (held ? stockOf(session, -1, -1, false) : stockOf(session, -1, 0, false)) : [];
  const coupon = session && !held ? couponOf(paid, 1, false) : null;
  if (session && !held) {
    const short = sums(session).some(([product_id, quantity]) => (snapshot.on_hand.get(product_id) ?? quantity) < quantity);
    if (short) alerts.push(alert(paid, "oversold", paid.id, {}, command.ids.alerts[0], now));
    if (coupon && isUsedUp(snapshot.coupon)) {
      alerts.push(alert(paid, "coupon_overused", paid.id, { coupon_id: coupon.coupon_id }, command.ids.alerts[1], now));
    }
  }
  return {
    outcome,
    order: paid,
    attempt,
    changes: { session: complete, order: paid, attempts: [attempt], stock, coupon, events: events.drafts, alerts },
  };
}

/** No payment is left that could pay it: what it held is released. */
export function failOrder<O extends string>(
  snapshot: Snapshot,
  order: OrderRecord,
  failure_code: FailureCode,
  attempt: AttemptRecord | null,
  eventIds: readonly string[],
  now: number,
  outcome: O,
): Decision<O> {
  const { session } = snapshot;
  const failed: OrderRecord = { ...order, status: "failed", failure_code, holds: "none", updated_at: now };
  const events = eventWriter(eventIds, now);
  events.order("order.failed", failed, order.status);
  const release = session && order.holds === "held";
  return {
    outcome,
    order: failed,
    attempt,
    changes: {
      session: session && { ...session, payment_status: "unpaid" },
      order: failed,
      attempts: attempt ? [attempt] : [],
      stock: release ? stockOf(session, 0, -1, false) : [],
      coupon: release ? couponOf(order, -1, false) : null,
      events: events.drafts,
      alerts: [],
    },
  };
}
