import { hourMs } from "../../domain/durations.ts";
import { isOpen } from "../../rules/payments/order-attempt.ts";
import type { AttemptRecord, SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import { inHours } from "../../rules/subscriptions/renewal-plan.ts";
import type { RenewedPeriod } from "../../rules/subscriptions/renewed-period.ts";
import { awaitsPeriod } from "../../rules/subscriptions/subscription-record.ts";
import { type AttemptResult, applyPaymentResult, unknownResult } from "../apply-payment.ts";
import { cancelPayment, lookUpResult } from "../cancel-payment.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import type { PaymentGateway } from "../gateway/gateway.ts";
import { chargeSaved, storePlan } from "../renewals/charge-saved.ts";

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
  const known = result ?? unknownResult(attempt);
  const applied = await applyPaymentResult(ctx, attempt, known, { keeps_place: true });
  if (!isOpen(applied.attempt)) counts.payments_settled += 1;
}

/** Providers know a repeated charge by its id for a day. */
const resentWithinMs = 23 * hourMs;

/**
 * Sends the charge of a renewal again that never reached the provider, because its process
 * died before the call. The same id charges once, whatever became of the first call. At night it
 * waits for the morning: nobody knows the result until then, and the buyer may pay by a link.
 */
async function resendCharge(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  found: AttemptResult | null,
): Promise<AttemptResult | null> {
  const { renews, order_id, call_ends_at } = attempt;
  const isUnreached = found?.status === "failed" && found.reference === null;
  if (!renews || !isUnreached || ctx.now() > call_ends_at + resentWithinMs) return found;

  const { now } = await ctx.clock.of(attempt);
  if (inHours(now, await storePlan(ctx, attempt.store_id)) > now) return null;

  const { orders } = ctx.storage;
  const subscription = await orders.find("subscription", attempt, renews.subscription_id);
  const order = await orders.find("order", attempt, order_id);
  if (!subscription || !isAwaited(subscription, renews) || !order) return found;

  const answer = await chargeSaved(ctx, { subscription, order, attempt });
  return typeof answer === "string" ? null : answer;
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
  if (!isOverdue && !(await isNeedless(ctx, gateway, attempt)))
    return resendCharge(ctx, attempt, await lookUpResult(ctx, gateway, attempt));

  const result = await cancelPayment(ctx, gateway, attempt);
  const isCanceled = result?.status === "failed" && result.failure_code === "canceled";
  return isOverdue && isCanceled ? { ...result, failure_code: "expired" } : result;
}

/**
 * Tells whether a charge was made ahead of a period that it shall not pay any more: the
 * subscription is to end or is paused, or the buyer has paid the period by themselves.
 */
async function isNeedless(
  { storage }: PaymentContext,
  { chargeAheadDays }: PaymentGateway,
  attempt: AttemptRecord,
): Promise<boolean> {
  const { renews } = attempt;
  if (!renews || chargeAheadDays === undefined) return false;

  return !isAwaited(
    await storage.orders.find("subscription", attempt, renews.subscription_id),
    renews,
  );
}

/** Tells whether the period is still to be paid by a charge. */
const isAwaited = (subscription: SubscriptionRecord | null, renews: RenewedPeriod): boolean =>
  subscription?.paused_at == null && awaitsPeriod(subscription, renews);
