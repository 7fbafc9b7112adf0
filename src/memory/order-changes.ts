import { changesOf, type OrderChanges } from "../rules/order-parts.ts";
import type { OrderRecord, Partition } from "../rules/records.ts";
import { renderEvent } from "../rules/render-event.ts";
import { addAlert } from "./access.ts";
import { adjustCoupon, adjustStock } from "./catalog-owner.ts";
import { insertEvents, takeNumbers } from "./events.ts";
import { type MemoryState, rowKey } from "./state.ts";

/** Writes what a step decided; gives the order with its number. */
export function writeChanges(
  state: MemoryState,
  partition: Partition,
  wanted: Partial<OrderChanges>,
): OrderRecord | null {
  const changes = { ...changesOf(wanted.order ?? null), ...wanted };
  takeGoods(state, partition, changes);
  const isNew = changes.order?.number === 0;
  const { order_number, first_sequence } = takeNumbers(state, partition, {
    orders: isNew ? 1 : 0,
    events: changes.events.length,
  });
  const order = changes.order && isNew ? { ...changes.order, number: order_number } : changes.order;
  const tables = state.orders;
  if (changes.session)
    state.checkout.sessions.set(rowKey(partition, changes.session.id), changes.session);
  if (order) {
    tables.orders.set(rowKey(partition, order.id), order);
    if (order.session_id !== null)
      tables.by_session.set(rowKey(partition, order.session_id), order.id);
    if (order.subscription_id !== null)
      tables.by_period.set(
        rowKey(partition, `${order.subscription_id}\n${order.period_start}`),
        order.id,
      );
  }
  for (const attempt of changes.attempts) {
    const key = rowKey(partition, attempt.id);
    const made = tables.of_order.get(rowKey(partition, attempt.order_id)) ?? [];
    if (!tables.attempts.has(key))
      tables.of_order.set(rowKey(partition, attempt.order_id), [...made, attempt.id]);
    tables.attempts.set(key, attempt);
  }
  for (const refund of changes.refunds) tables.refunds.set(rowKey(partition, refund.id), refund);
  for (const dispute of changes.disputes)
    tables.disputes.set(rowKey(partition, `${dispute.order_id}\n${dispute.id}`), dispute);
  if (changes.subscription)
    tables.subscriptions.set(rowKey(partition, changes.subscription.id), changes.subscription);
  for (const alert of changes.alerts)
    if (addAlert(state, alert, 0))
      state.webhooks.notices.set(rowKey(alert, alert.id), { alert, due_at: alert.created_at });
  insertEvents(
    state,
    partition,
    changes.events.map((draft, index) =>
      renderEvent(partition, draft, order?.number ?? 0, first_sequence + index),
    ),
  );
  return order;
}

function takeGoods(
  state: MemoryState,
  partition: Partition,
  { stock, coupon }: OrderChanges,
): void {
  if (!adjustStock(state, partition, stock))
    throw new Error("A stock guard failed after its check.");
  if (!coupon) return;
  if (!adjustCoupon(state, partition, coupon.coupon_id, coupon.used_delta, coupon.guarded))
    throw new Error("A coupon guard failed after its check.");
  const key = rowKey(partition, `${coupon.coupon_id}\n${coupon.customer_key}`);
  state.orders.coupon_uses.set(
    key,
    Math.max(0, (state.orders.coupon_uses.get(key) ?? 0) + coupon.used_delta),
  );
}
