import { dayMs, minuteMs } from "../../../domain/durations.ts";
import { type Decision, orderChanges, withoutChanges } from "../../orders/order-changes.ts";
import type { SubscriptionRecord } from "../../payments/payment-records.ts";
import type { Partition } from "../../records.ts";

/** Reports that gateways have forgotten methods that a subscription no longer uses. */
export interface MethodsForgotten extends Partition {
  readonly subscription_id: string;
  /** The methods that their gateways have forgotten, by the attempts that saved them. */
  readonly attempt_ids: readonly string[];
  readonly now: number;
}

/** Whether methods are left that maintenance asks about again. */
export interface MethodsLeft {
  readonly outcome: "forgotten" | "left" | "unchanged";
}

/**
 * Notes which methods are forgotten. The others are asked about again: after a minute, then twice
 * as long each time, up to a day.
 */
export function decideForgotten(
  subscription: SubscriptionRecord | null,
  { attempt_ids, now }: MethodsForgotten,
): Decision<MethodsLeft> {
  const forget = subscription?.forget;
  if (!subscription || !forget) return withoutChanges({ outcome: "unchanged" });

  const methods = forget.methods.filter(({ attempt_id }) => !attempt_ids.includes(attempt_id));
  const at = now + Math.min(minuteMs * 2 ** Math.min(forget.tries, 20), dayMs);
  const left = methods.length === 0 ? null : { methods, tries: forget.tries + 1, at };
  return {
    result: { outcome: left ? "left" : "forgotten" },
    changes: orderChanges({ subscription: { ...subscription, forget: left } }),
  };
}
