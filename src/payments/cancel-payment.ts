import type { AttemptRecord } from "../rules/payments/payment-records.ts";
import { type AttemptResult, applyPaymentResult } from "./apply-payment.ts";
import type { PaymentContext } from "./context.ts";
import { findGateway } from "./gateway/find-gateway.ts";
import type { PaymentGateway } from "./gateway/gateway.ts";
import { askGateway, lookUpPayment, paymentQuery } from "./gateway/gateway-calls.ts";
import { readResult } from "./gateway/read-result.ts";

/**
 * Has the gateway cancel a payment, and gives how the payment stands then. Null
 * means that nobody knows. The buyer can no longer pay it only when the status is
 * `failed`.
 */
export async function cancelPayment(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  attempt: AttemptRecord,
): Promise<AttemptResult | null> {
  if (mayStillArrive(ctx, attempt)) return null;

  const canceled = await askGateway(ctx, gateway, {
    subject: attempt.id,
    ask: async (signal) => {
      const result = await gateway.cancelPayment?.(await paymentQuery(ctx, attempt, signal));
      return readResult(ctx, { gateway, subject: attempt.id, isNew: false }, result ?? null);
    },
    takeLate: applyLate(ctx, attempt),
  });
  return canceled?.value ?? lookUpResult(ctx, gateway, attempt);
}

/**
 * Asks the gateway for the state of a payment. Null means that nobody knows,
 * because there was no answer, or because the provider does not know a payment that
 * it has named or may still receive.
 */
export async function lookUpResult(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  attempt: AttemptRecord,
): Promise<AttemptResult | null> {
  if (!gateway.getPayment) return null;

  const response = await lookUpPayment(ctx, gateway, attempt, applyLate(ctx, attempt));
  if (!response) return null;
  if (response.value) return response.value;

  // A provider that never named the payment was never reached: nothing was charged.
  const { reference, amount, currency } = attempt;
  if (reference !== null || mayStillArrive(ctx, attempt)) return null;
  return { status: "failed", reference, amount, currency, failure_code: "error" };
}

/** Says whether the call that creates the payment may still be on its way. */
const mayStillArrive = (ctx: PaymentContext, attempt: AttemptRecord): boolean =>
  attempt.reference === null && ctx.now() < attempt.call_ends_at;

/** Applies an answer that comes after its caller has stopped waiting. */
const applyLate =
  (ctx: PaymentContext, attempt: AttemptRecord) =>
  async (answer: { readonly value: AttemptResult | null } | null): Promise<void> => {
    if (answer?.value) await applyPaymentResult(ctx, attempt, answer.value);
  };

/**
 * Ends the payment in flight of a checkout, so that the buyer can leave or pay in
 * another way. Gives the definite result of a payment that is over, for the caller
 * to write. Null means that the payment is not over, or it has succeeded. The
 * gateway's answer has then been written.
 */
export async function endPayment(
  ctx: PaymentContext,
  attempt: AttemptRecord,
): Promise<AttemptResult | null> {
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  const result = gateway && (await cancelPayment(ctx, gateway, attempt));
  if (!result || result.status === "failed") return result;

  await applyPaymentResult(ctx, attempt, result);
  return null;
}
