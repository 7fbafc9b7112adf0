import type { AttemptRecord, SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord } from "../../rules/records.ts";
import type { StorePlan } from "../../rules/subscriptions/renewal-plan.ts";
import { nextBeginsAt } from "../../rules/subscriptions/subscription-record.ts";
import { type ChargeAnswer, sendCharge } from "../charge.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import type { SavedChargeRequest } from "../gateway/gateway.ts";
import type { PaymentResult } from "../gateway/gateway-results.ts";
import { chargedOf } from "../gateway/payment-request.ts";

/** The charge of a period by the saved method of the subscription. */
export interface PeriodCharge {
  readonly subscription: SubscriptionRecord;
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
}

/** Has the gateway charge the saved method. */
export async function chargeSaved(
  ctx: PaymentContext,
  charge: PeriodCharge,
): Promise<ChargeAnswer> {
  const { attempt } = charge;
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  if (!gateway?.chargeSaved) return refusedByHost(ctx, attempt);

  const request = await savedCharge(ctx, charge);
  if (!request) return "lost";

  const send = gateway.chargeSaved.bind(gateway);
  return sendCharge(ctx, { gateway, attempt }, (signal) => send({ ...request, signal }));
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
  if (!saved || !attempt.renews) return null;

  const { offset } = await ctx.clock.of(attempt);
  const { id, email } = order.customer;
  return {
    subscription_id: subscription.id,
    period_start: nextBeginsAt(subscription) - offset,
    saved_reference: await ctx.keyRing.unseal(saved.sealed_reference, saved.attempt_id),
    customer: { id, email },
    method: saved.method,
    ...chargedOf(order, attempt, offset),
  };
}

/** Reads when the subscriptions of a store are charged. */
export async function storePlan(ctx: PaymentContext, store_id: string): Promise<StorePlan> {
  const { store } = await ctx.shops.find(store_id);
  return { ...ctx.renewals, timezone: store?.timezone ?? "UTC" };
}
