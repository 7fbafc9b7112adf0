import { periodStart } from "../../domain/periods.ts";
import { optionsField } from "../catalog/groups/product-options.ts";
import type { OrderIds } from "../orders/order-commands.ts";
import type { EventDrafts } from "../orders/order-events.ts";
import type { SavedMethodRecord, SubscriptionRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";
import type { RenewedPeriod } from "./renewed-period.ts";
import { nextBeginsAt, renewalBy, takesLink, withForgotten } from "./subscription-record.ts";

/**
 * Gives the subscription whose next period this order has paid. When the money comes in a pause,
 * the period begins at that moment, so that the buyer pays for no time of the pause.
 */
export function nextPeriod(
  subscription: SubscriptionRecord,
  order: OrderRecord,
  now: number,
): SubscriptionRecord {
  const { interval, interval_count, renewal, paused_at } = subscription;
  const isLate = paused_at != null && now > nextBeginsAt(subscription);
  const begun = isLate ? { ...subscription, anchor: now, periods: 0 } : subscription;
  const from = nextBeginsAt(begun);
  const periods = begun.periods + 1;
  const current_period_end = periodStart(begun.anchor, interval, interval_count, periods);
  return {
    ...begun,
    status: "active",
    periods,
    current_period_start: from,
    current_period_end,
    latest_order_id: order.id,
    ...(renewal && { renewal: renewalBy(renewal.saved, { from, next: current_period_end }) }),
    updated_at: now,
  };
}

interface BuyersPayment {
  readonly renews: RenewedPeriod;
  readonly order: OrderRecord;
  /** What the buyer lets us keep in place of the former method. */
  readonly saved: SavedMethodRecord | undefined;
  readonly now: number;
}

/** Gives the subscription that its buyer has paid. Null when the period needs no money. */
export function renewedBy(
  subscription: SubscriptionRecord | null,
  { renews, order, saved, now }: BuyersPayment,
): SubscriptionRecord | null {
  if (!subscription || !takesLink(subscription, renews)) return null;

  const renewed = nextPeriod(subscription, order, now);
  if (!saved) return renewed;

  const { current_period_start: from, current_period_end: next } = renewed;
  const replaced = { ...renewed, renewal: renewalBy(saved, { from, next }) };
  return withForgotten(replaced, subscription.renewal?.saved, now);
}

/** Gives the subscription whose next period is not paid: the order shows why. */
export const pastDue = (
  subscription: SubscriptionRecord,
  order: OrderRecord,
  now: number,
): SubscriptionRecord => ({
  ...subscription,
  status: "past_due",
  latest_order_id: order.id,
  updated_at: now,
});

/** Writes the events of a period that was paid, after those of its order. */
export function tellRenewed(
  events: EventDrafts,
  before: SubscriptionRecord,
  settled: SubscriptionRecord,
  order: OrderRecord,
): void {
  events.subscription("subscription.renewed", settled, order);
  if (before.status === "past_due") events.subscription("subscription.recovered", settled, order);
}

/** Writes the event of a subscription that becomes past due, once for a period. */
export function tellPastDue(
  events: EventDrafts,
  before: SubscriptionRecord,
  settled: SubscriptionRecord,
  order: OrderRecord,
): void {
  if (before.status !== "past_due") events.subscription("subscription.past_due", settled, order);
}

interface NewPeriod {
  readonly period_start: number;
  readonly ids: Pick<OrderIds, "order" | "items">;
  readonly now: number;
}

/** Makes the order of a later period. It holds nothing, and the storage numbers it. */
export function renewalOrder(
  subscription: SubscriptionRecord,
  { ids, now, period_start }: NewPeriod,
): OrderRecord {
  const { amount } = subscription;
  return {
    store_id: subscription.store_id,
    livemode: subscription.livemode,
    id: ids.order,
    number: 0,
    status: "pending",
    session_id: null,
    subscription_id: subscription.id,
    currency: subscription.currency,
    amount_subtotal: amount,
    amount_discount: 0,
    amount_total: amount,
    amount_refunded: 0,
    amount_refunding: 0,
    coupon_id: null,
    coupon_code: null,
    coupon_key: null,
    items: [renewalItem(subscription, ids.items[0] ?? "")],
    customer: subscription.customer,
    payment_method_type: subscription.payment_method_type,
    failure_code: null,
    metadata: subscription.metadata,
    holds: "none",
    reserved: false,
    sweep_at: null,
    period_start,
    in_stats: true,
    status_before_dispute: null,
    created_at: now,
    updated_at: now,
    paid_at: null,
    refunded_at: null,
    disputed_at: null,
  };
}

const renewalItem = (
  subscription: SubscriptionRecord,
  id: string,
): OrderRecord["items"][number] => ({
  id,
  product_id: subscription.product_id,
  product_slug: subscription.product_slug,
  name: subscription.product_name,
  image_url: subscription.image_url,
  quantity: subscription.quantity,
  unit_amount: subscription.unit_amount,
  amount_subtotal: subscription.amount,
  amount_discount: 0,
  amount_total: subscription.amount,
  variables: { ...subscription.variables },
  ...optionsField(subscription),
});
