import { type Decision, orderChanges, withoutChanges } from "../orders/order-changes.ts";
import { EventDrafts } from "../orders/order-events.ts";
import type { SubscriptionRecord } from "../payments/payment-records.ts";
import type { SubscriptionCancel, SubscriptionCanceled } from "./subscription-commands.ts";
import { subscriptionEndsAt, withForgotten } from "./subscription-record.ts";

export function decideCancel(
  subscription: SubscriptionRecord | null,
  command: SubscriptionCancel,
): Decision<SubscriptionCanceled> {
  const { now, when } = command;
  if (!subscription) return withoutChanges({ outcome: "unknown_subscription" });

  const unchanged = withoutChanges({ outcome: "unchanged" as const, subscription });
  if (subscription.status === "canceled") return unchanged;
  if (when === "at_period_end")
    return subscription.cancel_at_period_end ? unchanged : scheduleEnd(subscription, now);

  const endsAt = subscriptionEndsAt(subscription);
  const isDue = endsAt !== null && now >= endsAt;
  if (when === "ending" && !isDue) return unchanged;
  return endSubscription(subscription, command);
}

interface Ended {
  readonly outcome: "canceled";
  readonly subscription: SubscriptionRecord;
}

function scheduleEnd(
  subscription: SubscriptionRecord,
  now: number,
): Decision<SubscriptionCanceled> {
  const scheduled: SubscriptionRecord = {
    ...subscription,
    cancel_at_period_end: true,
    canceled_at: now,
    updated_at: now,
  };
  return {
    result: { outcome: "scheduled", subscription: scheduled },
    changes: orderChanges({ subscription: scheduled }),
  };
}

/** Ends the subscription now, or with the period that is over. */
export function endSubscription(
  subscription: SubscriptionRecord,
  { when, ids, now }: Pick<SubscriptionCancel, "when" | "ids" | "now">,
): Decision<Ended> {
  const ended: SubscriptionRecord = {
    ...withForgotten(subscription, subscription.renewal?.saved, now),
    status: "canceled",
    canceled_at: subscription.canceled_at ?? now,
    ended_at: when === "ending" ? subscription.current_period_end : now,
    updated_at: now,
  };

  const events = new EventDrafts(ids.events, now);
  events.subscription("subscription.canceled", ended, null);
  return {
    result: { outcome: "canceled", subscription: ended },
    changes: orderChanges({ subscription: ended, events: events.list }),
  };
}
