import type { FailureCode } from "../contract/schemas.ts";
import type { Completion, PaymentApplication } from "./order-commands.ts";
import {
  alert,
  changesOf,
  completeSessionRecord,
  couponOf,
  type Decision,
  eventWriter,
  isUsedUp,
  paidOrder,
  type Snapshot,
  settleReservationMs,
  stockOf,
  sums,
} from "./order-parts.ts";
import type { AttemptRecord } from "./payment-records.ts";
import type { AlertRecord, OrderRecord, SessionRecord } from "./records.ts";
import { firstSubscription } from "./subscription-machine.ts";

/** The money is there, or nothing is due: a hold is consumed, else the goods are taken unguarded. */
export function payOrder<O extends string>(
  snapshot: Snapshot,
  before: OrderRecord,
  session: SessionRecord,
  attempt: AttemptRecord | null,
  command: Pick<Completion, "ids" | "now" | "external_stock"> | PaymentApplication,
  outcome: O,
): Decision<O> {
  const { now, ids } = command;
  const isNew = snapshot.order === null;
  const events = eventWriter(ids.events, now);
  if (isNew) events.order("order.created", { ...before, status: "pending" }, null);
  const held = before.holds === "held";
  const subscription = firstSubscription(session, before, ids.subscription, now);
  const paid: OrderRecord = {
    ...paidOrder({ ...before, reserved: before.reserved || command.external_stock }, now),
    coupon_key: held ? before.coupon_key : (snapshot.coupon?.customer_key ?? null),
    subscription_id: subscription?.id ?? null,
    period_start: subscription?.current_period_start ?? null,
  };
  const complete = completeSessionRecord(session);
  events.order("order.paid", paid, isNew ? "pending" : (snapshot.order?.status ?? null));
  events.completed(complete, paid);
  if (subscription) events.subscription("subscription.created", subscription, paid);

  // Without a hold the owner is told when there was nothing left to take.
  const alerts: AlertRecord[] = [];
  const guarded = attempt === null; // only money that is there is never refused
  const coupon = held ? null : couponOf(paid, 1, guarded);
  if (!held) {
    const short = sums(session).some(
      ([product_id, quantity]) => (snapshot.on_hand.get(product_id) ?? quantity) < quantity,
    );
    if (short) alerts.push(alert(paid, "oversold", paid.id, {}, ids.alerts[0], now));
    if (coupon && isUsedUp(snapshot.coupon))
      alerts.push(
        alert(
          paid,
          "coupon_overused",
          paid.id,
          { coupon_id: coupon.coupon_id },
          ids.alerts[1],
          now,
        ),
      );
  }
  return {
    outcome,
    order: paid,
    attempt,
    changes: changesOf(paid, {
      session: complete,
      attempts: attempt ? [attempt] : [],
      subscription,
      stock: held ? stockOf(session, -1, -1, false) : stockOf(session, -1, 0, guarded),
      coupon,
      events: events.drafts,
      alerts,
    }),
  };
}

/** No payment is left that could pay it: what it held is released. */
export function failOrder<O extends string>(
  snapshot: Snapshot,
  order: OrderRecord,
  failure_code: FailureCode,
  attempts: readonly AttemptRecord[],
  eventIds: readonly string[],
  now: number,
  outcome: O,
): Decision<O> {
  const { session } = snapshot;
  const failed: OrderRecord = {
    ...order,
    status: "failed",
    failure_code,
    holds: "none",
    sweep_at: order.reserved ? now + settleReservationMs : null,
    updated_at: now,
  };
  const events = eventWriter(eventIds, now);
  events.order("order.failed", failed, order.status);
  const release = session && order.holds === "held";
  return {
    outcome,
    order: failed,
    attempt: attempts[0] ?? null,
    changes: changesOf(failed, {
      session: session && { ...session, payment_status: "unpaid" },
      attempts,
      stock: release ? stockOf(session, 0, -1, false) : [],
      coupon: release ? couponOf(order, -1, false) : null,
      events: events.drafts,
    }),
  };
}
