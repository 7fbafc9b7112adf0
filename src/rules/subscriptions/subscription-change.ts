import { fail } from "../../contract/errors.ts";
import { multiplyMoney } from "../../domain/sums.ts";
import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { RenewalState, SubscriptionRecord } from "../payments/payment-records.ts";
import type {
  SubscriptionChange,
  SubscriptionChanged,
  SubscriptionChanges,
} from "./subscription-commands.ts";

/** Decides what the store changes of a subscription: it counts from the next period on. */
export function decideSubscriptionChange(
  subscription: SubscriptionRecord | null,
  { change, ids, now }: SubscriptionChange,
): Decision<SubscriptionChanged> {
  if (!subscription) return withoutChanges({ outcome: "unknown_subscription" });
  if (subscription.status === "canceled")
    return withoutChanges({ outcome: "invalid_transition", subscription });
  // The order of an open period keeps its price, so the change would not reach it.
  if (change.kind === "terms" && hasOpenPeriod(subscription))
    return withoutChanges({ outcome: "period_open", subscription });

  const changed = changedBy(subscription, change, now);
  if (changed === null) return withoutChanges({ outcome: "unchanged", subscription });

  const written = { ...changed, updated_at: now };
  const events = new EventDrafts(ids.events, now);
  events.subscription("subscription.updated", written, null);
  return {
    result: { outcome: "changed", subscription: written },
    changes: orderChanges({ subscription: written, events: events.list }),
  };
}

/** Tells whether the next period has an order: it is past due, or its charge runs. */
const hasOpenPeriod = ({ status, renewal }: SubscriptionRecord): boolean =>
  status === "past_due" || (renewal !== undefined && renewal.tries > 0);

/** Gives null when nothing changes. Throws `amount_out_of_range`. */
function changedBy(
  subscription: SubscriptionRecord,
  change: SubscriptionChanges,
  now: number,
): SubscriptionRecord | null {
  switch (change.kind) {
    case "keep":
      return subscription.cancel_at_period_end
        ? { ...subscription, cancel_at_period_end: false, canceled_at: null }
        : null;
    case "pause":
      return subscription.paused_at == null ? { ...subscription, paused_at: now } : null;
    case "resume":
      return subscription.paused_at == null ? null : resumed(subscription, now);
    case "terms":
      return withTerms(subscription, change);
  }
}

/**
 * Ends the pause. Periods that passed in it are not charged: the next one begins now. A period
 * whose charge had begun before the pause also begins now, but keeps its `period_start`, because
 * money may still come that names this start.
 */
function resumed(subscription: SubscriptionRecord, now: number): SubscriptionRecord {
  const running = { ...subscription, paused_at: null };
  const { renewal, current_period_end } = subscription;
  if (now < current_period_end) return running;

  const isOpen = hasOpenPeriod(subscription);
  return {
    ...running,
    anchor: now,
    periods: 0,
    current_period_end: isOpen ? current_period_end : now,
    ...(renewal && { renewal: isOpen ? triedAnew(renewal, now) : chargedFrom(renewal, now) }),
  };
}

/** Charges from now on. A later time stays, because a link's payment may still pay the period. */
const chargedFrom = (renewal: RenewalState, now: number): RenewalState => ({
  ...renewal,
  charge_at: Math.max(renewal.charge_at ?? now, now),
  notice_at: null,
});

/** Starts the tries anew, unless a charge of the period runs or no other may follow. */
const triedAnew = (renewal: RenewalState, now: number): RenewalState =>
  renewal.charge_at === null
    ? renewal
    : { ...chargedFrom(renewal, now), tries: renewal.stopped ? renewal.tries : 0 };

function withTerms(
  subscription: SubscriptionRecord,
  { quantity, unit_amount, product }: Extract<SubscriptionChanges, { readonly kind: "terms" }>,
): SubscriptionRecord | null {
  const changed = { ...subscription, ...product };
  const terms = {
    quantity: quantity ?? subscription.quantity,
    unit_amount: unit_amount ?? changed.unit_amount,
  };
  const isSame =
    changed.product_id === subscription.product_id &&
    terms.quantity === subscription.quantity &&
    terms.unit_amount === subscription.unit_amount;
  if (isSame) return null;
  const param = unit_amount === undefined ? "quantity" : "unit_amount";
  const amount =
    multiplyMoney(terms.unit_amount, terms.quantity) ?? fail("amount_out_of_range", { param });
  return { ...changed, ...terms, amount };
}
