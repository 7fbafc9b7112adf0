import type { Subscription } from "../../contract/schemas.ts";
import { iso, isoOrNull } from "../../domain/text/iso.ts";
import { renderCustomer } from "../catalog/render-order.ts";
import type { SavedMethodRecord, SubscriptionRecord } from "../payments/payment-records.ts";
import { chargeDueAt } from "./subscription-record.ts";

const renderSaved = ({ kind, label, expires_at }: SavedMethodRecord) => ({
  kind,
  label,
  expires_at: isoOrNull(expires_at),
});

/** A method that does not pay without the buyer is not charged again, though its time is kept. */
function nextChargeAt(subscription: SubscriptionRecord): number | null {
  const { renewal, current_period_end } = subscription;
  const charge_at = renewal?.stopped ? null : chargeDueAt(subscription);
  // A provider that is told in advance takes the money when the period begins.
  const isAhead = renewal?.tries === 0 && renewal.saved.charge_ahead_days !== undefined;
  return charge_at !== null && isAhead ? Math.max(charge_at, current_period_end) : charge_at;
}

export const renderSubscription = (subscription: SubscriptionRecord): Subscription => ({
  id: subscription.id,
  status: subscription.status,
  product_id: subscription.product_id,
  product_name: subscription.product_name,
  quantity: subscription.quantity,
  unit_amount: subscription.unit_amount,
  amount: subscription.amount,
  currency: subscription.currency,
  interval: subscription.interval,
  interval_count: subscription.interval_count,
  current_period_start: iso(subscription.current_period_start),
  current_period_end: iso(subscription.current_period_end),
  trial_end: isoOrNull(subscription.trial_end ?? null),
  cancel_at_period_end: subscription.cancel_at_period_end,
  canceled_at: isoOrNull(subscription.canceled_at),
  ended_at: isoOrNull(subscription.ended_at),
  customer: renderCustomer(subscription.customer),
  latest_order_id: subscription.latest_order_id,
  collection_method: subscription.renewal ? "charge_automatically" : "host",
  saved_method: subscription.renewal ? renderSaved(subscription.renewal.saved) : null,
  next_charge_at: isoOrNull(nextChargeAt(subscription)),
  paused_at: isoOrNull(subscription.paused_at ?? null),
  metadata: { ...subscription.metadata },
  created_at: iso(subscription.created_at),
  updated_at: iso(subscription.updated_at),
});
