import { isOpen } from "../../rules/payments/order-attempt.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import { type AttemptResult, applyPaymentResult, unknownResult } from "../apply-payment.ts";
import { cancelPayment, lookUpResult } from "../cancel-payment.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/gateway-calls.ts";

/**
 * Gets the result of an open payment from its gateway, and writes it, or that
 * nobody knows.
 */
export async function checkPayment(
  ctx: PaymentContext,
  counts: { payments_checked: number; payments_settled: number },
  attempt: AttemptRecord,
): Promise<void> {
  counts.payments_checked += 1;
  const result = await askForResult(ctx, attempt);
  const applied = await applyPaymentResult(ctx, attempt, result ?? unknownResult(attempt));
  if (!isOpen(applied.attempt)) counts.payments_settled += 1;
}

/**
 * Gives null when nobody knows the result. A payment whose time is over is canceled
 * first.
 */
async function askForResult(
  ctx: PaymentContext,
  attempt: AttemptRecord,
): Promise<AttemptResult | null> {
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  if (!gateway) {
    const error = `Gateway ${attempt.gateway} of payment ${attempt.id} is not configured.`;
    ctx.onError(new Error(error), "maintenance");
    return null;
  }

  const isOverdue = attempt.expires_at <= (await ctx.clock.of(attempt)).now;
  if (!isOverdue) return lookUpResult(ctx, gateway, attempt);

  const result = await cancelPayment(ctx, gateway, attempt);
  const isCanceled = result?.status === "failed" && result.failure_code === "canceled";
  return isCanceled ? { ...result, failure_code: "expired" } : result;
}
