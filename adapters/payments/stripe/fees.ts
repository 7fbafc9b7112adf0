import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { roundedFee } from "./amounts.ts";
import { callOf, type StripeClient } from "./client.ts";
import type { StripeIntent } from "./objects.ts";

/**
 * Adds to a payment that succeeded what Stripe keeps of it: on a connected account the application
 * fee too. That is a call of its own, which waits for less and may fail: a key without the right to
 * read the balance must not make a payment unknown. Money that is not booked yet tells nothing.
 */
export async function withFee(
  stripe: StripeClient,
  result: PaymentResult,
  intent: string | Pick<StripeIntent, "id"> | null,
  account: string | null,
): Promise<PaymentResult> {
  const id = typeof intent === "string" ? intent : intent?.id;
  if (result.status !== "succeeded" || id === undefined) return result;

  try {
    const params = { expand: ["latest_charge.balance_transaction"] };
    const call = { ...callOf(account), timeout: 5_000, maxNetworkRetries: 0 };
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, params, call);
    const booked = typeof charge === "object" ? charge?.balance_transaction : null;
    if (typeof booked !== "object" || booked === null) return result;

    const currency = booked.currency.toUpperCase();
    return { ...result, fee: { amount: roundedFee(booked.fee, currency), currency } };
  } catch {
    return result;
  }
}
