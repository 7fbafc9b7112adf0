import type { Written } from "../../rules/audit/audit-records.ts";
import { changesAvailability, hasPieces, type StockChange } from "../../rules/catalog/stock.ts";
import type { CouponChange, Decision, OrderChanges } from "../../rules/orders/order-changes.ts";
import type { OrderSnapshot } from "../../rules/orders/order-snapshot.ts";
import { customerTotal } from "../../rules/orders/order-terms.ts";
import { startOfHour, statOfSessions, statsOf } from "../../rules/owner/stats.ts";
import { referencesOf } from "../../rules/payments/order-money.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { firstDelivery, wantsEvent } from "../../rules/webhooks/deliveries.ts";
import { renderEvent } from "../../rules/webhooks/render-event.ts";
import type { StepSubject } from "../../storage/step-store.ts";
import { readStep } from "./read-step.ts";
import type { FoundOrder, StepRows } from "./step-rows.ts";

/**
 * Takes a step of an order: reads what it decides over, lets it decide, and writes what it decided.
 * Nothing waits in between, so that in one process no lock is needed.
 */
export function takeStep<Result>(
  rows: StepRows,
  subject: StepSubject,
  decide: (found: OrderSnapshot) => Decision<Result>,
): Written<Result> {
  const found = readStep(rows, subject);
  const { result, changes, key, message, removes } = decide(found);
  if (key) rows.putKey(key);
  if (message && subject.message) rows.noteSeen(subject.message);
  if (removes && found.order) removeOrder(rows, { ...found, order: found.order });
  if (changes === null) return { result, change: null };

  const order = writeChanges(rows, changes);
  for (const change of statsOf(found, changes)) rows.addStat(change);
  const { partition } = rows;
  const change = { kind: "order_step", partition, before: found, changes, order } as const;
  return { result: order ? { ...result, order } : result, change };
}

/** Removes an order. Its session, which readers have counted, is added to the numbers. */
function removeOrder(rows: StepRows, found: FoundOrder): void {
  const { session, order } = found;
  const total = customerTotal(order);
  if (total) rows.keepTotal(total);
  if (session) rows.addStat(statOfSessions(startOfHour(session.created_at), 1));
  rows.remove(found);
}

/** Gives the order that was written, in which a new one has its number. */
function writeChanges(rows: StepRows, changes: OrderChanges): OrderRecord | null {
  takeStock(rows, changes.stock);
  for (const change of changes.coupons) countUse(rows, change);
  for (const taken of changes.taken_keys) rows.takeKey(taken);
  if (changes.open_hold) {
    const { address, delta } = changes.open_hold;
    rows.putOpenHolds(address, rows.openHolds(address) + delta);
  }

  const last = rows.lastNumbers();
  const isNew = changes.order?.number === 0;
  const order_number = last.order_number + (isNew ? 1 : 0);
  rows.putNumbers({ order_number, sequence: last.sequence + changes.events.length });
  const order = changes.order && isNew ? { ...changes.order, number: order_number } : changes.order;

  putRecords(rows, { ...changes, order });
  for (const alert of changes.withdrawn) rows.withdrawAlert(alert);
  for (const alert of changes.alerts) rows.raiseAlert(alert, alert.created_at - rows.offset);
  writeEvents(rows, changes.events, { order_number: order?.number ?? 0, after: last.sequence });
  return order;
}

/** Changes the stock of products. The guards come first, so that nothing is half written. */
function takeStock(rows: StepRows, changes: readonly StockChange[]): void {
  for (const change of changes)
    if (change.guarded && !hasPieces(rows.stockOf(change.product_id) ?? undefined, change))
      throw new Error("A step takes more stock than its check has found.");

  const turned: string[] = [];
  for (const { product_id, stock_delta, held_delta } of changes) {
    const before = rows.stockOf(product_id);
    if (!before) continue;

    // The count never goes below zero: the owner may have reset it while pieces were held.
    const held = Math.max(0, before.held + held_delta);
    const after = { ...before, stock: before.stock + stock_delta, held };
    rows.putStock(product_id, after);
    if (changesAvailability(before, after) && rows.find("product", product_id))
      turned.push(product_id);
  }
  if (turned.length > 0) rows.showAnew(turned);
}

/** Counts a use of a coupon, or takes one back. */
function countUse(
  rows: StepRows,
  { coupon_id, used_delta, customer_key, guarded }: CouponChange,
): void {
  const used = rows.usesOf(coupon_id, "");
  const most = rows.find("coupon", coupon_id)?.max_uses ?? null;
  if (guarded && most !== null && used >= most)
    throw new Error("A coupon guard failed after its check.");

  const byCustomer = rows.usesOf(coupon_id, customer_key);
  rows.putUses(coupon_id, "", Math.max(0, used + used_delta));
  rows.putUses(coupon_id, customer_key, Math.max(0, byCustomer + used_delta));
}

function putRecords(rows: StepRows, changes: OrderChanges): void {
  const { session, order, subscription } = changes;
  if (session) rows.put("session", session);
  if (order) rows.put("order", order);
  if (subscription) rows.put("subscription", subscription);

  for (const attempt of changes.attempts) {
    rows.put("attempt", attempt);
    for (const reference of referencesOf(attempt)) rows.putReference(reference, attempt.id);
  }
  for (const payment of changes.payments) {
    rows.put("payment", payment);
    rows.putReference(payment.payment_reference, payment.attempt_id);
  }
  for (const refund of changes.refunds) rows.put("refund", refund);
  for (const dispute of changes.disputes) rows.put("dispute", dispute);
}

/** Writes events in their order, with their deliveries to the endpoints that want them. */
function writeEvents(
  rows: StepRows,
  drafts: OrderChanges["events"],
  { order_number, after }: { readonly order_number: number; readonly after: number },
): void {
  if (drafts.length === 0) return;

  const { partition, offset } = rows;
  const endpoints = rows.endpoints();
  for (const [index, draft] of drafts.entries()) {
    const sequence = after + 1 + index;
    const event = renderEvent(partition, draft, { order_number, offset, sequence });
    rows.putEvent(event);
    const { id: event_id, type: event_type, created_at } = event;
    for (const endpoint of endpoints)
      if (wantsEvent(endpoint, draft))
        rows.putDelivery(firstDelivery(endpoint, { event_id, event_type, created_at }));
  }
}
