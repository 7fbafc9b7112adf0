import { type Decision, orderChanges, withoutChanges } from "../../orders/order-changes.ts";
import type { EventIds } from "../../orders/order-commands.ts";
import { EventDrafts } from "../../orders/order-events.ts";
import type { SubscriptionRecord } from "../../payments/payment-records.ts";
import type { Partition } from "../../records.ts";
import { isEnding } from "../subscription-record.ts";

/** Reports that the provider has ended a saved method, by itself or for the buyer. */
export interface MethodGone extends Partition {
  readonly subscription_id: string;
  /** The attempt that saved the method. */
  readonly attempt_id: string;
  readonly ids: EventIds;
  readonly now: number;
}

export interface MethodStopped {
  readonly outcome: "stopped" | "unchanged";
}

/**
 * Stops the charges of a method that is gone, and asks for the buyer. The period that runs stays
 * paid: the next one becomes past due at its start, unless the buyer has paid it by then.
 */
export function decideMethodGone(
  subscription: SubscriptionRecord | null,
  { attempt_id, ids, now }: MethodGone,
): Decision<MethodStopped> {
  const renewal = subscription?.renewal;
  const isCharged = renewal?.saved.attempt_id === attempt_id && !renewal.stopped;
  // What ends with its period is not charged, and would ask the buyer for nothing.
  if (!subscription || !renewal || !isCharged || isEnding(subscription))
    return withoutChanges({ outcome: "unchanged" });

  const charge_at =
    renewal.charge_at === null
      ? null
      : Math.max(renewal.charge_at, subscription.current_period_end);
  const stopped: SubscriptionRecord = {
    ...subscription,
    renewal: { ...renewal, stopped: true, charge_at, notice_at: null },
    updated_at: now,
  };
  const events = new EventDrafts(ids.events, now);
  events.subscription("subscription.payment_action_required", stopped, null);
  return {
    result: { outcome: "stopped" },
    changes: orderChanges({ subscription: stopped, events: events.list }),
  };
}
