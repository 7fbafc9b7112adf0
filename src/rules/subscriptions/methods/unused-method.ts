import { type Decision, orderChanges, withoutChanges } from "../../orders/order-changes.ts";
import { erasedCustomerId } from "../../owner/erased-customer.ts";
import { blankMethod } from "../../owner/erasure.ts";
import type { SavedMethodRecord, SubscriptionRecord } from "../../payments/payment-records.ts";
import type { Partition } from "../../records.ts";
import { withForgotten } from "../subscription-record.ts";

/** A gateway has kept a method for a subscription, which may use another one. */
export interface MethodKept extends Partition {
  readonly subscription_id: string;
  readonly saved: SavedMethodRecord;
  readonly now: number;
}

/** Whether the method is to be forgotten: `unchanged` stands for one that is in use. */
export interface MethodSorted {
  readonly outcome: "to_forget" | "unchanged";
}

/** Plans that the gateway forgets a method by which nobody is charged. */
export function decideUnused(
  subscription: SubscriptionRecord | null,
  { saved, now }: MethodKept,
): Decision<MethodSorted> {
  const { attempt_id } = saved;
  const isOwn = subscription?.renewal?.saved.attempt_id === attempt_id;
  const isPlanned = subscription?.forget?.methods.some((each) => each.attempt_id === attempt_id);
  if (!subscription || isOwn || isPlanned) return withoutChanges({ outcome: "unchanged" });

  const isErased = subscription.customer.id === erasedCustomerId;
  const method = isErased ? blankMethod(saved) : saved;
  return {
    result: { outcome: "to_forget" },
    changes: orderChanges({ subscription: withForgotten(subscription, method, now) }),
  };
}
