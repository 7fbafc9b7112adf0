import { minuteMs } from "../../domain/durations.ts";
import { timeOfId } from "../../domain/keys/ids.ts";
import type { PaymentContext } from "../context.ts";
import type { GatewayNotification } from "../gateway/gateway-results.ts";

/** The longest time by which a message may come before its payment or refund is written. */
const writtenWithinMs = 15 * minuteMs;

/**
 * Judges a fact about a payment or refund that is not known here.
 * `unknown_payment` means that the fact names an id of ours that is new, so that the
 * provider should send it again. `ignored` means that the fact is not ours, or that
 * its id is too old to become known; the host is told of the second.
 */
export function judgeUnknown(
  ctx: PaymentContext,
  { gateway, livemode }: { readonly gateway: string; readonly livemode: boolean },
  fact: GatewayNotification,
): "unknown_payment" | "ignored" {
  const named = idOfOurs(fact);
  if (!named) return "ignored";

  const madeAt = timeOfId(named.kind, named.id);
  const now = ctx.now();
  if (madeAt !== null && now - madeAt < writtenWithinMs) return "unknown_payment";

  ctx.onAlert({
    id: ctx.newId("alr"),
    // The message names no store, and the payment that would is not there.
    store_id: "",
    livemode,
    type: "unknown_payment",
    subject: named.id,
    data: { gateway, notification_id: fact.notification_id },
    created_at: now,
  });
  return "ignored";
}

function idOfOurs(
  fact: GatewayNotification,
): { readonly kind: "pay" | "rf"; readonly id: string } | null {
  if (fact.type === "payment" && fact.payment_id?.startsWith("pay_"))
    return { kind: "pay", id: fact.payment_id };
  if (fact.type === "refund" && fact.refund_id?.startsWith("rf_"))
    return { kind: "rf", id: fact.refund_id };
  return null;
}
