import { periodStart } from "../../domain/periods.ts";
import type { SubscriptionRecord } from "../payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../records.ts";

/**
 * Makes the subscription that a session's first payment creates. It gives null for
 * a session without a recurring product. A recurring product stands alone in its
 * session. A coupon lowers the first order only, so later periods cost the
 * subtotal.
 */
export function firstSubscription(
  session: SessionRecord,
  order: OrderRecord,
  id: string,
  now: number,
): SubscriptionRecord | null {
  const line = session.lines[0];
  if (!line?.recurring) return null;

  const { interval, interval_count } = line.recurring;
  return {
    store_id: session.store_id,
    livemode: session.livemode,
    id,
    status: "active",
    product_id: line.product_id,
    product_slug: line.product_slug,
    product_name: line.name,
    image_url: line.image_url,
    variables: line.variables,
    quantity: line.quantity,
    unit_amount: line.unit_amount,
    amount: line.amount_subtotal,
    currency: session.currency,
    interval,
    interval_count,
    anchor: now,
    periods: 1,
    current_period_start: now,
    current_period_end: periodStart(now, interval, interval_count, 1),
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    customer: order.customer,
    payment_method_type: order.payment_method_type,
    latest_order_id: order.id,
    metadata: session.metadata,
    created_at: now,
    updated_at: now,
  };
}

/**
 * Tells whether no further period can be paid: the subscription has ended, or ends
 * with its current period.
 */
export const isEnding = (subscription: SubscriptionRecord): boolean =>
  subscription.status === "canceled" || subscription.cancel_at_period_end;

/**
 * Gives the order that money for a period belongs to when the period has none. Once
 * the subscription has ended or is ending, it is the latest order. Before, it gives
 * null.
 */
export const orderAfterEnd = (subscription: SubscriptionRecord | null): string | null =>
  subscription && isEnding(subscription) ? subscription.latest_order_id : null;

/**
 * Gives the time at which maintenance ends the subscription. It gives null while
 * nobody asked for its end.
 */
export const subscriptionEndsAt = (subscription: SubscriptionRecord): number | null =>
  subscription.cancel_at_period_end && subscription.status !== "canceled"
    ? subscription.current_period_end
    : null;
