import type { OrderStepBefore, Written } from "../../rules/audit/audit-records.ts";
import type {
  CouponChange,
  Decision,
  OpenHoldChange,
  OrderChanges,
} from "../../rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../rules/orders/order-snapshot.ts";
import type { CountedBefore } from "../../rules/owner/stats.ts";
import { referencesOf } from "../../rules/payments/order-money.ts";
import type { PaymentRecord } from "../../rules/payments/payment-records.ts";
import type { AlertRecord, OrderRecord, Partition } from "../../rules/records.ts";
import { renderEvent } from "../../rules/webhooks/render-event.ts";
import { addAlert } from "../access/alerts.ts";
import { adjustCoupon, adjustStock } from "../catalog/stock.ts";
import { takePoolKeys } from "../records/pool-rows.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { countStats } from "../stats.ts";
import { insertEvents, takeNumbers } from "../webhooks/events.ts";

/** Writes what a step decided and gives its result, in which a new order has its number. */
export function carryOut<Result>(
  state: MemoryState,
  partition: Partition,
  before: CountedBefore & OrderStepBefore & Pick<OrderSnapshot, "offset">,
  { result, changes }: Decision<Result>,
): Written<Result> {
  if (changes === null) return { result, change: null };

  const order = writeChanges(state, partition, changes, before.offset);
  countStats(state, partition, before, changes);
  const change = { kind: "order_step", partition, before, changes, order } as const;
  return { result: order ? { ...result, order } : result, change };
}

function writeChanges(
  state: MemoryState,
  partition: Partition,
  changes: OrderChanges,
  offset: number,
): OrderRecord | null {
  takeGoods(state, partition, changes);

  const isNew = changes.order?.number === 0;
  const { order_number, first_sequence } = takeNumbers(state, partition, {
    orders: isNew ? 1 : 0,
    events: changes.events.length,
  });
  const order = changes.order && isNew ? { ...changes.order, number: order_number } : changes.order;

  if (order) putOrder(state, partition, order);
  putRows(state, partition, changes);
  for (const alert of changes.withdrawn) withdrawAlert(state, partition, alert);
  for (const alert of changes.alerts) raiseAlert(state, alert, offset);
  const events = changes.events.map((draft, index) => {
    const sequence = first_sequence + index;
    return renderEvent(partition, draft, { order_number: order?.number ?? 0, offset, sequence });
  });
  insertEvents(state, partition, events);
  return order;
}

function takeGoods(
  state: MemoryState,
  partition: Partition,
  { stock, coupons, taken_keys, open_hold }: OrderChanges,
): void {
  if (!adjustStock(state, partition, stock))
    throw new Error("A stock guard failed after its check.");
  for (const change of coupons) countCouponUse(state, partition, change);
  takePoolKeys(state, partition, taken_keys);
  if (open_hold) countOpenHold(state, partition, open_hold);
}

function countCouponUse(
  state: MemoryState,
  partition: Partition,
  { coupon_id, used_delta, customer_key, guarded }: CouponChange,
): void {
  if (!adjustCoupon(state, partition, { coupon_id, used_delta, guarded }))
    throw new Error("A coupon guard failed after its check.");

  const { coupon_uses } = state.orders;
  const key = rowKey(partition, `${coupon_id}\n${customer_key}`);
  const used = (coupon_uses.get(key) ?? 0) + used_delta;
  if (used > 0) coupon_uses.set(key, used);
  // The key may be an e-mail address, so nothing is left of the last use.
  else coupon_uses.delete(key);
}

function countOpenHold(
  { checkout }: MemoryState,
  partition: Partition,
  { address, delta }: OpenHoldChange,
): void {
  const key = rowKey(partition, address);
  const open = (checkout.open_holds.get(key) ?? 0) + delta;
  if (open > 0) checkout.open_holds.set(key, open);
  else checkout.open_holds.delete(key);
}

function putOrder(state: MemoryState, partition: Partition, order: OrderRecord): void {
  const { orders, by_session, by_period } = state.orders;
  const { id, session_id, subscription_id, period_start } = order;
  orders.set(rowKey(partition, id), order);
  if (session_id !== null) by_session.set(rowKey(partition, session_id), id);
  if (subscription_id !== null)
    by_period.set(rowKey(partition, `${subscription_id}\n${period_start}`), id);
}

function putRows(state: MemoryState, partition: Partition, changes: OrderChanges): void {
  const { attempts, attempts_by_order, refunds, disputes, subscriptions } = state.orders;
  const { session, subscription } = changes;
  if (session) state.checkout.sessions.set(rowKey(partition, session.id), session);

  for (const attempt of changes.attempts) {
    const key = rowKey(partition, attempt.id);
    const orderKey = rowKey(partition, attempt.order_id);
    const known = attempts_by_order.get(orderKey) ?? [];
    if (!attempts.has(key)) attempts_by_order.set(orderKey, [...known, attempt.id]);
    attempts.set(key, attempt);
    indexReferences(state, attempt, referencesOf(attempt));
  }

  for (const payment of changes.payments) putPayment(state, payment);

  for (const refund of changes.refunds) refunds.set(rowKey(partition, refund.id), refund);
  for (const dispute of changes.disputes)
    disputes.set(rowKey(partition, `${dispute.order_id}\n${dispute.id}`), dispute);
  if (subscription) subscriptions.set(rowKey(partition, subscription.id), subscription);
}

function putPayment(state: MemoryState, payment: PaymentRecord): void {
  const { payments, payments_by_order } = state.orders;
  const key = rowKey(payment, payment.id);
  const orderKey = rowKey(payment, payment.order_id);
  const known = payments_by_order.get(orderKey) ?? [];
  if (!payments.has(key)) payments_by_order.set(orderKey, [...known, payment.id]);
  payments.set(key, payment);

  const attempt = { ...payment, id: payment.attempt_id };
  indexReferences(state, attempt, [payment.payment_reference]);
}

function indexReferences(
  state: MemoryState,
  attempt: Partition & { readonly id: string },
  references: readonly string[],
): void {
  const { attempts_by_reference } = state.orders;
  for (const reference of references) {
    const key = rowKey(attempt, reference);
    const known = attempts_by_reference.get(key) ?? [];
    attempts_by_reference.set(key, new Set([...known, attempt.id]));
  }
}

/** Deletes an alert that is not true any more, with its notice. */
function withdrawAlert(
  state: MemoryState,
  partition: Partition,
  { type, subject }: Pick<AlertRecord, "type" | "subject">,
): void {
  const { alerts } = state.access;
  const { store_id, livemode } = partition;
  for (const [index, alert] of [...alerts.entries()].reverse()) {
    const isMeant =
      alert.store_id === store_id &&
      alert.livemode === livemode &&
      alert.type === type &&
      alert.subject === subject;
    if (!isMeant) continue;

    alerts.splice(index, 1);
    state.webhooks.notices.delete(rowKey(alert, alert.id));
  }
}

/**
 * Stores the alert, and a notice that is due until the host's callback has taken it. The
 * alert's time is `offset` ahead of the real one.
 */
export function raiseAlert(state: MemoryState, alert: AlertRecord, offset: number): void {
  if (!addAlert(state, alert, 0)) return;

  const notice = { alert, due_at: alert.created_at - offset };
  state.webhooks.notices.set(rowKey(alert, alert.id), notice);
}
