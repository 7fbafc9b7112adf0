import { type Decision, orderChanges, withoutChanges } from "../../orders/order-changes.ts";
import type { EventIds } from "../../orders/order-commands.ts";
import { EventDrafts } from "../../orders/order-events.ts";
import type { OrderSnapshot } from "../../orders/order-snapshot.ts";
import { erasedCustomerId } from "../../owner/erased-customer.ts";
import { blankMethod } from "../../owner/erasure.ts";
import { isOpen } from "../../payments/order-attempt.ts";
import type { SavedMethodRecord, SubscriptionRecord } from "../../payments/payment-records.ts";
import type { AlertRecord, Partition } from "../../records.ts";
import type { RenewedPeriod } from "../renewed-period.ts";
import { renewalBy, withForgotten } from "../subscription-record.ts";

/** A buyer has let a subscription be charged by a method, outside a payment of it. */
export interface MethodAgreed extends Partition, RenewedPeriod {
  readonly saved: SavedMethodRecord;
  /** The one amount that the buyer allows. Null or left out allows any. */
  readonly amount?: number | null | undefined;
  readonly ids: EventIds;
  readonly now: number;
}

/** What became of a method. */
export interface MethodTaken {
  /**
   * `period_open`: the method before is just paying the next period. `to_forget`: the subscription
   * has ended, and the provider is to forget the method. `other_amount`: the method does not allow
   * what the subscription costs now, and is to be forgotten too.
   */
  readonly outcome:
    | "taken"
    | "unchanged"
    | "period_open"
    | "to_forget"
    | "other_amount"
    | "unknown_subscription";
}

/**
 * Takes a method that the buyer has agreed to for all later periods, and forgets the method before.
 * A method that was replaced since is not taken again, however often its agreement is told. One of
 * another amount is not taken: the price has changed while the buyer was asked.
 */
export function decideAgreed(
  { subscription, attempts }: OrderSnapshot,
  { saved, period_start, amount, ids, now }: MethodAgreed,
): Decision<MethodTaken> {
  if (!subscription) return withoutChanges({ outcome: "unknown_subscription" });
  const allowed = amount ?? subscription.amount;
  const isRefused = allowed !== subscription.amount;
  const known = placeOf(subscription, saved);
  if (known !== null)
    return withoutChanges({
      outcome: isRefused && known === "left" ? "other_amount" : "unchanged",
    });
  const isErased = subscription.customer.id === erasedCustomerId;
  if (isErased || subscription.status === "canceled") {
    const method = isErased ? blankMethod(saved) : saved;
    return {
      result: { outcome: "to_forget" },
      changes: orderChanges({ subscription: withForgotten(subscription, method, now) }),
    };
  }
  // The price cannot be charged by this method, and the method before may still be able to pay.
  if (isRefused) return refuseAmount(subscription, { saved, amount: allowed, ids, now });
  // The charge that runs is sent again by the method that the subscription has.
  if (subscription.current_period_end !== period_start || attempts.some(isOpen))
    return withoutChanges({ outcome: "period_open" });

  const replaced: SubscriptionRecord = {
    ...subscription,
    payment_method_type: saved.method.type,
    renewal: renewalBy(saved, { from: now, next: period_start }),
    updated_at: now,
  };
  const written = withForgotten(replaced, subscription.renewal?.saved, now);
  const events = new EventDrafts(ids.events, now);
  events.subscription("subscription.updated", written, null);
  return {
    result: { outcome: "taken" },
    changes: orderChanges({ subscription: written, events: events.list }),
  };
}

type AmountRefused = Pick<MethodAgreed, "saved" | "ids" | "now"> & { readonly amount: number };

/** Has the provider forget the method, and tells the owner to have the buyer asked anew. */
function refuseAmount(
  subscription: SubscriptionRecord,
  { saved, amount, ids, now }: AmountRefused,
): Decision<MethodTaken> {
  const { id: subject, store_id, livemode, amount: expected, currency } = subscription;
  const alert: AlertRecord = {
    id: ids.alerts[0] ?? "",
    ...{ store_id, livemode, subject },
    type: "agreement_mismatch",
    data: { gateway: saved.gateway, amount, expected, currency },
    created_at: now,
  };
  return {
    result: { outcome: "other_amount" },
    changes: orderChanges({
      subscription: withForgotten(subscription, saved, now),
      alerts: [alert],
    }),
  };
}

/** Tells whether the subscription has the method, or has left it. Null stands for neither. */
function placeOf(
  { renewal, forget }: SubscriptionRecord,
  { attempt_id }: SavedMethodRecord,
): "in_use" | "left" | null {
  if (renewal?.saved.attempt_id === attempt_id) return "in_use";
  return forget?.methods.some((each) => each.attempt_id === attempt_id) ? "left" : null;
}
