import { dayMs } from "#core/domain/durations.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { fromStripeAmount } from "./amounts.ts";
import type { StripeIntent, StripeSession } from "./objects.ts";

/**
 * Whether buyers pay on Stripe's page, on the host's, or cards by Stripe's element on the checkout
 * page.
 */
export type Flow = "checkout" | "payment_intents" | "element";

/** The reading of Stripe's answer needs this besides the answer. */
export interface Reading {
  /** In epoch milliseconds. */
  readonly now: number;
  /** A page with Stripe's script uses this key. It is null when buyers pay on Stripe's page. */
  readonly publishableKey: string | null;
  readonly account: string | null;
}

/**
 * Tells how a Checkout Session stands. Its intent tells what was received, where it
 * is expanded.
 */
export function sessionResult(session: StripeSession, { now }: Reading): PaymentResult {
  const { id, payment_intent } = session;
  const intent = typeof payment_intent === "string" ? null : payment_intent;
  const isSetup = session.mode === "setup";
  const asked = {
    reference: id,
    ...(isSetup
      ? { amount: 0, currency: session.metadata?.["currency"] ?? "" }
      : money(session.amount_total ?? 0, session.currency ?? "")),
  };

  if (isSetup && session.status === "complete") {
    const { setup_intent: setup } = session;
    const name = typeof setup === "string" ? setup : setup?.id;
    return { ...asked, ...(name && { payment_reference: name }), status: "succeeded" };
  }
  if (session.payment_status === "paid") {
    const name = typeof payment_intent === "string" ? payment_intent : intent?.id;
    return {
      ...asked,
      ...(intent && received(intent)),
      ...(name !== undefined && { payment_reference: name }),
      status: "succeeded",
    };
  }

  const ends = session.expires_at * 1000;
  if (session.status === "expired")
    return { ...asked, status: "failed", failure_code: ends > now ? "canceled" : "expired" };

  // A declined card leaves the session open: the buyer can try another one there.
  if (session.status === "open") {
    const action = session.url === null ? null : ({ type: "redirect", url: session.url } as const);
    return {
      ...asked,
      status: action ? "requires_action" : "pending",
      expires_at: ends,
      ...(action && { next_action: action }),
    };
  }
  return intent ? { ...asked, ...delayedResult(intent) } : { ...asked, status: "pending" };
}

/** Tells of a completed session whose money comes later: the buyer cannot try again there. */
function delayedResult(
  intent: StripeIntent,
): Pick<PaymentResult, "status" | "failure_code" | "next_action" | "expires_at"> {
  const { status } = intent;
  if (status === "canceled" || status === "requires_payment_method") return failure(intent);
  return { status: "pending", ...buyerAction(intent) };
}

/** The mark in the metadata of an intent that charges a saved card. */
export const renewalMark = { taken_by: "renewal" } as const;

const isRenewal = (metadata: StripeIntent["metadata"]): boolean =>
  metadata["taken_by"] === renewalMark.taken_by;

/** Tells how an intent stands that the gateway made itself. */
export function intentResult(intent: StripeIntent, reading: Reading): PaymentResult {
  const { id, status } = intent;
  const asked = { reference: id, ...money(intent.amount, intent.currency) };

  if (status === "succeeded")
    return { ...asked, ...received(intent), payment_reference: id, status: "succeeded" };
  if (status === "canceled") return { ...asked, ...failure(intent) };

  const shown = buyerAction(intent);
  if (shown.next_action) return { ...asked, status: "pending", ...shown };

  const isServers =
    intent.payment_method_types?.includes("pix") === true || isRenewal(intent.metadata);
  const waitsForBuyer = status === "requires_payment_method" || status === "requires_action";
  if (isServers && status === "requires_payment_method") return { ...asked, ...failure(intent) };
  if (isServers || !waitsForBuyer) return { ...asked, status: "pending" };
  return { ...asked, ...ownPage(intent, reading) };
}

/** Tells the page to pay, or to try again after a decline, with Stripe's script. */
export function ownPage(
  { client_secret }: Pick<StripeIntent, "client_secret">,
  { publishableKey, account }: Reading,
): Pick<PaymentResult, "status" | "next_action"> {
  if (typeof client_secret !== "string" || publishableKey === null) return { status: "pending" };

  const next_action = {
    type: "client_secret",
    client_secret,
    publishable_key: publishableKey,
    ...(account !== null && { account }),
  } as const;
  return { status: "requires_action", next_action };
}

/** Gives what the buyer pays outside of any page: a Pix code, or the number of a boleto. */
function buyerAction({
  next_action,
}: StripeIntent): Pick<PaymentResult, "next_action" | "expires_at"> {
  const pix = next_action?.pix_display_qr_code;
  if (pix?.data !== undefined) {
    const expires_at = milliseconds(pix.expires_at);
    return {
      next_action: { type: "qr_code", text: pix.data, expires_at },
      ...(expires_at !== null && { expires_at }),
    };
  }

  const boleto = next_action?.boleto_display_details;
  if (typeof boleto?.number !== "string") return {};

  const expires_at = milliseconds(boleto.expires_at);
  const url = boleto.hosted_voucher_url;
  return {
    next_action: {
      type: "voucher",
      number: boleto.number,
      expires_at,
      ...(url !== null && { url }),
    },
    ...(expires_at !== null && { expires_at: expires_at + boletoSettlesWithinMs }),
  };
}

/**
 * A boleto that was paid on its last day is confirmed some business days later. Only
 * Stripe knows that it was not: until then the gateway is not asked to cancel it.
 */
const boletoSettlesWithinMs = 5 * dayMs;

/**
 * By these codes a card never pays again, or not without its owner:
 * https://docs.stripe.com/declines/codes. Any other decline may pass on another day.
 */
const finalCodes: ReadonlySet<unknown> = new Set([
  "authentication_required",
  "card_not_supported",
  "currency_not_supported",
  "expired_card",
  "fraudulent",
  "incorrect_number",
  "invalid_account",
  "invalid_expiry_month",
  "invalid_expiry_year",
  "invalid_number",
  "lost_card",
  "new_account_information_available",
  "pickup_card",
  "restricted_card",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "security_violation",
  "stolen_card",
  "stop_payment_order",
  "transaction_not_allowed",
]);

/** Tells whether the saved card does not pay any more without the buyer. */
export const needsBuyer = ({ code, decline_code }: Declined): boolean =>
  finalCodes.has(code) || finalCodes.has(decline_code);

/** Gives the bank's own reason, or else what Stripe says of the card. */
export function declineCode({ code, decline_code }: Declined): Pick<PaymentResult, "decline_code"> {
  const told = decline_code ?? code;
  return told == null ? {} : { decline_code: told };
}

interface Declined {
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
}

const fraudCodes: ReadonlySet<unknown> = new Set(["fraudulent", "stolen_card", "lost_card"]);

function failure({ status, cancellation_reason, last_payment_error, metadata }: StripeIntent): Pick<
  PaymentResult,
  "failure_code" | "decline_code" | "needs_buyer"
> & {
  readonly status: "failed";
} {
  if (status === "canceled") {
    if (cancellation_reason === "fraudulent")
      return { status: "failed", failure_code: "fraud", ...declineCode(last_payment_error ?? {}) };
    const isLate = cancellation_reason === "automatic" || cancellation_reason === "abandoned";
    return { status: "failed", failure_code: isLate ? "expired" : "canceled" };
  }

  const { code, decline_code } = last_payment_error ?? {};
  if (code === "payment_intent_payment_attempt_expired")
    return { status: "failed", failure_code: "expired" };
  return {
    status: "failed",
    failure_code: fraudCodes.has(decline_code) ? "fraud" : "declined",
    ...declineCode({ code, decline_code }),
    ...(isRenewal(metadata) && { needs_buyer: needsBuyer({ code, decline_code }) }),
  };
}

const received = ({ amount_received, currency }: StripeIntent) => money(amount_received, currency);

const money = (amount: number, currency: string) => ({
  amount: fromStripeAmount(amount, currency),
  currency: currency.toUpperCase(),
});

const milliseconds = (seconds: number | null | undefined): number | null =>
  typeof seconds === "number" ? seconds * 1000 : null;
