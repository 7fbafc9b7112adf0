import { type Decision, orderChanges, withoutChanges } from "../../orders/order-changes.ts";
import type { EventIds } from "../../orders/order-commands.ts";
import { EventDrafts } from "../../orders/order-events.ts";
import type { OrderSnapshot } from "../../orders/order-snapshot.ts";
import { erasedCustomerId } from "../../owner/erased-customer.ts";
import { blankMethod } from "../../owner/erasure.ts";
import { isOpen } from "../../payments/order-attempt.ts";
import type { SavedMethodRecord, SubscriptionRecord } from "../../payments/payment-records.ts";
import type { Partition } from "../../records.ts";
import type { RenewedPeriod } from "../renewed-period.ts";
import { renewalBy, withForgotten } from "../subscription-record.ts";

/** A buyer has let a subscription be charged by a method, outside a payment of it. */
export interface MethodAgreed extends Partition, RenewedPeriod {
  readonly saved: SavedMethodRecord;
  readonly ids: EventIds;
  readonly now: number;
}

/** What became of a method. */
export interface MethodTaken {
  /**
   * `period_open`: the method before is just paying the next period. `to_forget`: the subscription
   * has ended, and the provider is to forget the method.
   */
  readonly outcome: "taken" | "unchanged" | "period_open" | "to_forget" | "unknown_subscription";
}

/**
 * Takes a method that the buyer has agreed to for all later periods, and forgets the method before.
 * A method that was replaced since is not taken again, however often its agreement is told.
 */
export function decideAgreed(
  { subscription, attempts }: OrderSnapshot,
  { saved, period_start, ids, now }: MethodAgreed,
): Decision<MethodTaken> {
  if (!subscription) return withoutChanges({ outcome: "unknown_subscription" });
  if (isKnown(subscription, saved)) return withoutChanges({ outcome: "unchanged" });
  const isErased = subscription.customer.id === erasedCustomerId;
  if (isErased || subscription.status === "canceled") {
    const method = isErased ? blankMethod(saved) : saved;
    return {
      result: { outcome: "to_forget" },
      changes: orderChanges({ subscription: withForgotten(subscription, method, now) }),
    };
  }
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

const isKnown = (
  { renewal, forget }: SubscriptionRecord,
  { attempt_id }: SavedMethodRecord,
): boolean =>
  [renewal?.saved, ...(forget?.methods ?? [])].some((each) => each?.attempt_id === attempt_id);
