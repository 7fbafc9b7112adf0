import type { RefundQuery, RefundRequest } from "#core/payments/gateway/gateway.ts";
import type { GatewayRefund } from "#core/payments/gateway/gateway-results.ts";
import { fromStripeAmount, toStripeAmount } from "./amounts.ts";
import { callOf, type StripeClient } from "./client.ts";
import { orNull, refusalOf } from "./errors.ts";
import { isSession } from "./look-up.ts";
import type { StripeRefund } from "./objects.ts";

/** Sends money back. A refusal of Stripe gives a failed refund, and no answer throws. */
export async function createRefund(
  stripe: StripeClient,
  request: RefundRequest,
): Promise<GatewayRefund> {
  const { id, account, currency } = request;
  const amount = toStripeAmount(request.amount, currency);
  if (amount === null) return refused("Stripe cannot refund this amount in this currency.");

  const { livemode, ...ids } = request.metadata;
  const metadata = { ...ids, livemode: String(livemode), refund_key: id };
  try {
    const payment_intent = await intentOf(stripe, request);
    const params = { payment_intent, amount, metadata };
    return refundResult(await stripe.refunds.create(params, callOf(account, id)));
  } catch (error) {
    return refused(refusalOf(error).message);
  }
}

const refused = (failure_reason: string): GatewayRefund => ({
  status: "failed",
  reference: null,
  failure_reason,
});

/** Finds the intent that the money came by. A Checkout Session names it. */
async function intentOf(
  stripe: StripeClient,
  { payment_reference, reference, account }: RefundRequest,
): Promise<string> {
  if (payment_reference !== null) return payment_reference;
  if (!isSession(reference)) return reference;

  const { payment_intent } = await stripe.checkout.sessions.retrieve(
    reference,
    {},
    callOf(account),
  );
  const id = typeof payment_intent === "string" ? payment_intent : payment_intent?.id;
  if (id === undefined) throw new Error(`Stripe names no payment intent of ${reference}.`);
  return id;
}

/** Asks how a refund stands. Null means that Stripe has none under this key. */
export async function getRefund(
  stripe: StripeClient,
  { id, account, refund_reference, payment_reference, signal }: RefundQuery,
): Promise<GatewayRefund | null> {
  const call = callOf(account);
  if (refund_reference !== null) {
    const refund = await orNull(stripe.refunds.retrieve(refund_reference, {}, call));
    return refund && refundResult(refund);
  }
  if (payment_reference === null)
    throw new Error(`Refund ${id} cannot be looked up: no payment intent is known.`);

  const params = { payment_intent: payment_reference, limit: 100 };
  for await (const refund of stripe.refunds.list(params, call)) {
    signal.throwIfAborted();
    if (refund.metadata?.["refund_key"] === id) return refundResult(refund);
  }
  return null;
}

function refundResult(refund: StripeRefund): GatewayRefund {
  const { id, amount, currency, failure_reason } = refund;
  return {
    status: refundStatus(refund),
    reference: id,
    amount: fromStripeAmount(amount, currency),
    ...(failure_reason !== undefined && { failure_reason }),
  };
}

/**
 * Reads the state of a refund. A refund that waits for the buyer's bank details is
 * pending, and a canceled refund has failed.
 */
export function refundStatus({ status }: StripeRefund): GatewayRefund["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}
