import { keepSales } from "../../rows/sales.ts";
import type { FoundOrder } from "../../rows/step/step-rows.ts";
import { type CustomerTotal, sumTotals } from "../../rules/orders/order-terms.ts";
import { referencesOf } from "../../rules/payments/order-money.ts";
import type { Partition } from "../../rules/records.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

/** Deletes an order with all that belongs to it, and what finds it. */
export function removeOrder({ orders, checkout }: MemoryState, found: FoundOrder): void {
  const { order, session, attempts, payments, refunds, disputes, notes } = found;
  const keyOf = (id: string): string => rowKey(order, id);

  const keptOf = (hour: number) => orders.kept_sales.get(keyOf(String(hour))) ?? null;
  const kept = keepSales(order, orders.orders.values(), keptOf);
  if (kept) orders.kept_sales.set(keyOf(String(kept.hour)), kept);

  orders.orders.delete(keyOf(order.id));
  if (session) {
    checkout.sessions.delete(keyOf(session.id));
    orders.by_session.delete(keyOf(session.id));
  }
  if (order.subscription_id !== null)
    orders.by_period.delete(keyOf(`${order.subscription_id}\n${order.period_start}`));

  for (const { id } of attempts) orders.attempts.delete(keyOf(id));
  for (const { id } of payments) orders.payments.delete(keyOf(id));
  for (const { id } of refunds) orders.refunds.delete(keyOf(id));
  for (const { id } of disputes) orders.disputes.delete(keyOf(`${order.id}\n${id}`));
  for (const { id } of notes) orders.notes.delete(keyOf(`${order.id}\n${id}`));
  for (const kind of ["attempt", "payment", "refund", "dispute"])
    orders.by_order.delete(keyOf(`${order.id}\n${kind}`));

  const gone = new Set(attempts.map(({ id }) => id));
  const references = [
    ...attempts.flatMap(referencesOf),
    ...payments.map(({ payment_reference }) => payment_reference),
  ];
  for (const reference of references) {
    const ids = orders.attempts_by_reference.get(keyOf(reference)) ?? new Set();
    const rest = new Set([...ids].filter((id) => !gone.has(id)));
    if (rest.size > 0) orders.attempts_by_reference.set(keyOf(reference), rest);
    else orders.attempts_by_reference.delete(keyOf(reference));
  }
}

/** Counts what a removed order counted for its customer. */
export function keepTotal(
  { orders: { kept_totals } }: MemoryState,
  partition: Partition,
  total: CustomerTotal,
): void {
  const key = rowKey(partition, `${total.customer_id}\n${total.currency}`);
  const known = kept_totals.get(key);
  for (const sum of sumTotals(known ? [known, total] : [total])) kept_totals.set(key, sum);
}
