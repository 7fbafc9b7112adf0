import type { SavedChargeRequest, SavedMethodQuery } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult, SavedMethod } from "#core/payments/gateway/gateway-results.ts";
import { toStripeAmount } from "./amounts.ts";
import { aroundMs, callOf, type StripeClient } from "./client.ts";
import { ids, refused } from "./create.ts";
import { orNull, refusalOf } from "./errors.ts";
import { withFee } from "./fees.ts";
import type { StripeIntent, StripePaymentMethod } from "./objects.ts";
import { declineCode, intentResult, needsBuyer, type Reading, renewalMark } from "./results.ts";

/** Adds to a payment that succeeded its fee, and the card that Stripe keeps for later charges. */
export async function withSavedMethod(
  stripe: StripeClient,
  told: PaymentResult,
  intent: string | StripeIntent | null,
  account: string | null,
): Promise<PaymentResult> {
  const result = await withFee(stripe, told, intent, account);
  if (result.status !== "succeeded" || intent === null || typeof intent === "string") return result;

  if (intent.setup_future_usage !== "off_session") return result;
  return { ...result, ...(await keptMethod(stripe, intent, account)) };
}

/**
 * Reads the card that an intent has kept for a customer. A key can be allowed to charge the card
 * but not to read it. The card is then kept without its last digits, and the host is told why.
 */
export async function keptMethod(
  stripe: StripeClient,
  intent: Pick<StripeIntent, "customer" | "payment_method">,
  account: string | null,
): Promise<Pick<PaymentResult, "saved_method" | "failure_reason">> {
  const customer = idOf(intent.customer);
  const method = idOf(intent.payment_method);
  if (!customer || !method) return {};

  const reference = `${customer}:${method}`;
  try {
    const kept = await orNull(stripe.paymentMethods.retrieve(method, {}, callOf(account)));
    return kept ? { saved_method: savedMethod(reference, kept) } : {};
  } catch (error) {
    const { isForbidden, message } = refusalOf(error);
    if (!isForbidden) throw error;
    return { saved_method: savedMethod(reference, { type: "card" }), failure_reason: message };
  }
}

function savedMethod(
  reference: string,
  { type, card }: Pick<StripePaymentMethod, "type" | "card">,
): SavedMethod {
  if (!card) return { reference, kind: type, label: type };

  const { brand, last4, exp_month, exp_year } = card;
  return {
    reference,
    kind: type,
    label: `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ···· ${last4}`,
    expires_at: Date.UTC(exp_year, exp_month) - 1,
  };
}

const idOf = (named: string | { readonly id: string } | null | undefined): string | null =>
  typeof named === "string" ? named : (named?.id ?? null);

/**
 * Charges a saved card without the buyer: Stripe's answer is the result. A period that is paid
 * already, or being paid, is not charged again: a database that was restored from a backup knows
 * nothing of its payment.
 */
export async function chargeSaved(
  stripe: StripeClient,
  request: SavedChargeRequest,
  reading: Reading,
): Promise<PaymentResult> {
  const { id, account, currency, description, saved_reference } = request;
  const amount = toStripeAmount(request.amount, currency);
  const [customer = "", payment_method = ""] = saved_reference.split(":");
  if (amount === null)
    return refused(request, "Stripe cannot charge this amount in this currency.");

  try {
    const known = await paymentOfPeriod(stripe, request, customer);
    if (known) return await withFee(stripe, intentResult(known, reading), known, account);

    request.signal.throwIfAborted();
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        capture_method: "automatic",
        payment_method_types: ["card"],
        description,
        customer,
        payment_method,
        off_session: true,
        confirm: true,
        metadata: { ...ids(request), ...renewalMark, ...periodMark(request) },
      },
      callOf(account, id),
    );
    return await withFee(stripe, intentResult(intent, reading), intent, account);
  } catch (error) {
    const { isDecline, intent, message, code, decline_code } = refusalOf(error);
    const result = refused(request, message);
    if (!isDecline) return { ...result, needs_buyer: code === "resource_missing" };
    return {
      ...result,
      reference: intent ?? result.reference,
      failure_code: "declined",
      ...declineCode({ code, decline_code }),
      needs_buyer: needsBuyer({ code, decline_code }),
    };
  }
}

type Period = Pick<SavedChargeRequest, "subscription_id" | "period_start">;

/** Names the period that an intent pays. */
const periodMark = ({ subscription_id, period_start }: Period) => ({
  subscription_id,
  period_start: new Date(period_start).toISOString(),
});

/** Finds an intent that has paid the period, or may still. */
async function paymentOfPeriod(
  stripe: StripeClient,
  request: SavedChargeRequest,
  customer: string,
): Promise<StripeIntent | null> {
  const mark = Object.entries(periodMark(request));
  const created = { gte: Math.floor((request.period_start - aroundMs) / 1000) };
  const listing = { customer, created, limit: 100 };
  try {
    for await (const intent of stripe.paymentIntents.list(listing, callOf(request.account))) {
      request.signal.throwIfAborted();
      const isTaken = intent.status === "succeeded" || intent.status === "processing";
      if (isTaken && mark.every(([name, value]) => intent.metadata[name] === value)) return intent;
    }
  } catch (error) {
    // A key without the right to this list still charges. Any other error is thrown on.
    refusalOf(error);
  }
  return null;
}

/** Makes Stripe forget a card. One that it does not know any more is forgotten. */
export async function forgetSaved(
  stripe: StripeClient,
  { saved_reference, account }: SavedMethodQuery,
): Promise<void> {
  const [, method = ""] = saved_reference.split(":");
  await orNull(stripe.paymentMethods.detach(method, {}, callOf(account)));
}
