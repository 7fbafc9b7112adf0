import { minuteMs } from "#core/domain/durations.ts";
import { timeOfId } from "#core/domain/keys/ids.ts";
import type { PaymentRequest } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { toStripeAmount } from "./amounts.ts";
import { callOf, type IntentParams, type SessionParams, type StripeClient } from "./client.ts";
import { customerOf } from "./customers.ts";
import { refusalOf } from "./errors.ts";
import { declineCode, type Flow, intentResult, type Reading, sessionResult } from "./results.ts";

/** The mark in the metadata of an intent that a Checkout Session made. */
export const checkoutMark = { taken_by: "checkout" } as const;

const longestName = 250;
/** Stripe takes sessions that live 30 minutes to 24 hours. A minute is for the way there. */
export const sessionMs = { least: 31 * minuteMs, most: 24 * 60 * minuteMs - minuteMs } as const;

/** Tells whether a page pays with Stripe's script: an intent is made instead of a session. */
export const takesIntent = (
  flow: Flow,
  { method, on_page = false }: Pick<PaymentRequest, "method" | "on_page">,
): boolean =>
  flow === "payment_intents" || (flow === "element" && on_page && method.type === "card");

/** Starts a payment in the way that its method and the host's flow ask for. */
export async function createPayment(
  stripe: StripeClient,
  request: PaymentRequest,
  { flow, reading }: { readonly flow: Flow; readonly reading: Reading },
): Promise<PaymentResult> {
  const amount = toStripeAmount(request.amount, request.currency);
  if (amount === null)
    return refused(request, "Stripe cannot charge this amount in this currency.");

  const call = callOf(request.account, request.id);
  const { type } = request.method;
  try {
    if (type === "pix")
      return intentResult(
        await stripe.paymentIntents.create(pixParams(request, amount), call),
        reading,
      );
    if (type !== "card" && type !== "boleto")
      return refused(request, `Stripe takes no payments of the method type ${type} here.`);
    // Only a card is kept: each boleto is paid by its buyer.
    const customer =
      request.save && type === "card" ? await customerOf(stripe, request) : undefined;
    if (takesIntent(flow, request)) {
      const params = { ...intentParams(request, amount, type), ...keptFor(customer) };
      return intentResult(await stripe.paymentIntents.create(params, call), reading);
    }
    return sessionResult(
      await stripe.checkout.sessions.create(sessionParams(request, type, customer), call),
      reading,
    );
  } catch (error) {
    const { isDecline, intent, message, code, decline_code } = refusalOf(error);
    const result = refused(request, message);
    if (!isDecline) return { ...result, reference: intent ?? result.reference };
    return {
      ...result,
      reference: intent ?? result.reference,
      failure_code: "declined",
      ...declineCode({ code, decline_code }),
    };
  }
}

/**
 * Says that nothing was charged. Stripe has named nothing, so our own id stands as
 * the reference.
 */
export const refused = (
  { id, amount, currency }: Pick<PaymentRequest, "id" | "amount" | "currency">,
  failure_reason: string,
): PaymentResult => ({
  status: "failed",
  reference: id,
  amount,
  currency,
  failure_code: "error",
  failure_reason,
});

const keptFor = (customer: string | undefined) =>
  customer === undefined ? {} : ({ customer, setup_future_usage: "off_session" } as const);

function sessionParams(
  request: PaymentRequest,
  type: "card" | "boleto",
  saved_for: string | undefined,
): SessionParams {
  const { id, customer, return_url } = request;
  const metadata = ids(request);

  return {
    mode: "payment",
    payment_method_types: [type],
    line_items: lines(request),
    payment_intent_data: {
      capture_method: "automatic",
      description: request.description,
      metadata: { ...metadata, ...checkoutMark },
      ...(saved_for !== undefined && { setup_future_usage: "off_session" }),
    },
    ...(saved_for !== undefined && { customer: saved_for }),
    // The buyer pays the order's amount in the order's currency, whatever the dashboard says.
    adaptive_pricing: { enabled: false },
    // Stripe takes either the customer or the address.
    ...(customer.email !== null && saved_for === undefined && { customer_email: customer.email }),
    client_reference_id: id,
    metadata,
    success_url: return_url,
    cancel_url: return_url,
    expires_at: Math.floor(sessionEnd(request) / 1000),
  };
}

/**
 * Computes when the session ends, in epoch milliseconds. It counts from the time in
 * our id, because Stripe takes a repeated request under its idempotency key only
 * when all its fields are those of the first.
 */
export function sessionEnd({ id, expires_at }: Pick<PaymentRequest, "id" | "expires_at">): number {
  const begun = timeOfId("pay", id) ?? expires_at - sessionMs.least;
  return Math.min(Math.max(expires_at, begun + sessionMs.least), begun + sessionMs.most);
}

/**
 * Makes one line for each line of the order, at its total: Stripe multiplies and
 * rounds nothing.
 */
function lines(request: PaymentRequest): SessionParams["line_items"] {
  const { line_items, amount, currency, description } = request;
  const sum = line_items.reduce((total, line) => total + line.amount_total, 0);
  const amounts = line_items.map((line) => toStripeAmount(line.amount_total, currency));
  const whole = [{ name: description, quantity: 1, amount_total: amount, image_url: null }];
  const shown = sum === amount && !amounts.includes(null) && sum > 0 ? line_items : whole;

  return shown.map(({ name, quantity, amount_total, image_url }) => ({
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripeAmount(amount_total, currency) ?? 0,
      product_data: {
        name: cut(quantity > 1 ? `${quantity} × ${name}` : name),
        ...(image_url?.startsWith("https://") && { images: [image_url] }),
      },
    },
  }));
}

/** Cuts between characters, because half of a surrogate pair cannot be sent in the request. */
const cut = (name: string): string => [...name].slice(0, longestName).join("");

function intentParams(request: PaymentRequest, amount: number, type: string): IntentParams {
  const { currency, description, customer } = request;
  return {
    amount,
    currency: currency.toLowerCase(),
    capture_method: "automatic",
    payment_method_types: [type],
    description,
    ...(customer.email !== null && { receipt_email: customer.email }),
    metadata: ids(request),
  };
}

/**
 * Describes an intent that this server confirms: Stripe answers with the code that
 * the buyer pays.
 */
function pixParams(request: PaymentRequest, amount: number): IntentParams {
  const { name, email, tax_id } = request.customer;
  return {
    ...intentParams(request, amount, "pix"),
    confirm: true,
    payment_method_data: {
      type: "pix",
      billing_details: {
        ...(name !== null && { name }),
        ...(email !== null && { email }),
        ...(tax_id !== null && { tax_id }),
      },
    },
    payment_method_options: { pix: { expires_at: Math.floor(request.expires_at / 1000) } },
  };
}

/** Gives our ids as Stripe stores them, which is as text only. */
export function ids({ metadata }: Pick<PaymentRequest, "metadata">): Record<string, string> {
  const { session_id, livemode, ...named } = metadata;
  return {
    ...named,
    livemode: String(livemode),
    ...(session_id !== null && { session_id }),
  };
}
