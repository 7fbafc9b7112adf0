import type { AttemptRecord, SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { applyPaymentResult } from "../apply-payment.ts";
import type { PaymentContext } from "../context.ts";
import type { SavedChargeRequest } from "../gateway/gateway.ts";
import { askGateway, findGateway } from "../gateway/gateway-calls.ts";
import type { PaymentResult } from "../gateway/gateway-results.ts";
import { readResult } from "../gateway/read-result.ts";

/** The charge of a period by the saved method of the subscription. */
export interface PeriodCharge {
  readonly subscription: SubscriptionRecord;
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
}

/**
 * Has the gateway charge the saved method. `lost` means that the call has ended and
 * nobody knows its result, `running` that its answer is written when it comes.
 */
export async function chargeSaved(
  ctx: PaymentContext,
  charge: PeriodCharge,
): Promise<PaymentResult | "lost" | "running"> {
  const { attempt } = charge;
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  if (!gateway?.chargeSaved) return refusedByHost(ctx, attempt);

  const request = await savedCharge(ctx, charge);
  if (!request) return "lost";

  let isRunning = true;
  const response = await askGateway(ctx, gateway, {
    subject: attempt.id,
    async ask(signal) {
      try {
        const result = await gateway.chargeSaved?.({ ...request, signal });
        return readResult(ctx, { gateway, subject: attempt.id, isNew: true }, result ?? null);
      } finally {
        isRunning = false;
      }
    },
    async takeLate(answer) {
      if (answer?.value) await applyPaymentResult(ctx, attempt, answer.value);
    },
  });
  return response?.value ?? (isRunning ? "running" : "lost");
}

/** A gateway that is gone, or that charges no saved method, has charged nobody. */
function refusedByHost(ctx: PaymentContext, attempt: AttemptRecord): PaymentResult {
  const { id: reference, gateway, amount, currency } = attempt;
  const error = `Gateway ${gateway} of payment ${reference} cannot charge a saved method.`;
  ctx.onError(new Error(error), "maintenance");
  return { status: "failed", reference, amount, currency, failure_code: "error" };
}

/** Makes the request. Null means that the subscription has no saved method any more. */
async function savedCharge(
  ctx: PaymentContext,
  { subscription, order, attempt }: PeriodCharge,
): Promise<Omit<SavedChargeRequest, "signal"> | null> {
  const saved = subscription.renewal?.saved;
  const { renews } = attempt;
  if (!saved || !renews) return null;

  const { store_id, livemode, order_id } = attempt;
  const { offset } = await ctx.clock.of(attempt);
  const { id, email } = order.customer;
  return {
    id: attempt.id,
    order_id,
    subscription_id: subscription.id,
    period_start: renews.period_start - offset,
    store_id,
    account: attempt.account,
    saved_reference: await ctx.keyRing.unseal(saved.sealed_reference, saved.attempt_id),
    customer: { id, email },
    amount: attempt.amount,
    currency: attempt.currency,
    method: saved.method,
    description: `Order ${order.number}`,
    metadata: { store_id, livemode, order_id, session_id: null, payment_id: attempt.id },
    line_items: order.items.map(({ name, quantity, amount_total, image_url }) => ({
      name,
      quantity,
      amount_total,
      image_url,
    })),
    expires_at: attempt.expires_at - offset,
  };
}
