import { minuteMs } from "#core/domain/durations.ts";
import type { PaymentQuery } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { aroundMs, callOf, type StripeClient } from "./client.ts";
import { checkoutMark } from "./create.ts";
import { orNull, refusalOf } from "./errors.ts";
import type { StripeIntent, StripeSession, StripeSetup } from "./objects.ts";
import { intentResult, type Reading, sessionResult } from "./results.ts";
import { withSavedMethod } from "./saved.ts";
import { setupResult, withSetupMethod } from "./setups.ts";

export const withIntent = { expand: ["payment_intent", "setup_intent"] };

/** A list that lacks a payment proves only after this time that there is none. */
const listedWithinMs = 60 * minuteMs;

/** A session or an intent. The prefix of Stripe's id tells which of them it is. */
type Found =
  | { readonly kind: "session"; readonly session: StripeSession }
  | { readonly kind: "intent"; readonly intent: StripeIntent }
  | { readonly kind: "setup"; readonly setup: StripeSetup };

function resultOf(found: Found, reading: Reading): PaymentResult {
  switch (found.kind) {
    case "session":
      return sessionResult(found.session, reading);
    case "intent":
      return intentResult(found.intent, reading);
    case "setup":
      return setupResult(found.setup, reading);
  }
}

export const isSession = (reference: string): boolean => reference.startsWith("cs_");

/** Asks Stripe how a payment stands. Null means that Stripe has none. */
export async function getPayment(
  stripe: StripeClient,
  query: PaymentQuery,
  reading: Reading,
): Promise<PaymentResult | null> {
  const found = await findPayment(stripe, query, reading);
  if (!found) return null;

  const { account } = query;
  const told = resultOf(found, reading);
  if (found.kind === "setup") return withSetupMethod(stripe, told, found.setup, account);
  if (found.kind === "intent") return withSavedMethod(stripe, told, found.intent, account);
  return withKept(stripe, told, found.session, account);
}

/** Adds the card that a session has kept, with a payment or without one. */
export const withKept = (
  stripe: StripeClient,
  told: PaymentResult,
  { mode, setup_intent, payment_intent }: StripeSession,
  account: string | null,
): Promise<PaymentResult> =>
  mode === "setup"
    ? withSetupMethod(stripe, told, setup_intent, account)
    : withSavedMethod(stripe, told, payment_intent, account);

/**
 * Has Stripe cancel a payment. Undefined means that nothing was found, so
 * `getPayment` says why.
 */
export async function cancelPayment(
  stripe: StripeClient,
  query: PaymentQuery,
  reading: Reading,
): Promise<PaymentResult | undefined> {
  const found = await findPayment(stripe, query, reading);
  if (!found) return undefined;

  const canceled = await cancel(stripe, found, query.account);
  if (canceled) return { ...resultOf(canceled, reading), failure_code: "canceled" };

  const now = await getPayment(stripe, { ...query, reference: idOf(found) }, reading);
  return now ?? undefined;
}

function idOf(found: Found): string {
  if (found.kind === "session") return found.session.id;
  return found.kind === "intent" ? found.intent.id : found.setup.id;
}

/**
 * Cancels a session or an intent. Null means that Stripe refuses, because the
 * payment is over or its money is on the way.
 */
async function cancel(
  stripe: StripeClient,
  found: Found,
  account: string | null,
): Promise<Found | null> {
  const call = callOf(account);
  try {
    if (found.kind === "intent")
      return {
        kind: "intent",
        intent: await stripe.paymentIntents.cancel(found.intent.id, {}, call),
      };

    if (found.kind === "setup")
      return { kind: "setup", setup: await stripe.setupIntents.cancel(found.setup.id, {}, call) };

    const { session } = found;
    if (session.status === "open")
      return {
        kind: "session",
        session: await stripe.checkout.sessions.expire(session.id, {}, call),
      };

    // The session is complete and waits for a boleto: only its intent can be canceled.
    const intent = session.payment_intent;
    if (session.payment_status === "paid" || intent === null || typeof intent === "string")
      return null;
    const payment_intent = await stripe.paymentIntents.cancel(intent.id, {}, call);
    return { kind: "session", session: { ...session, payment_intent } };
  } catch (error) {
    refusalOf(error);
    return null;
  }
}

async function findPayment(
  stripe: StripeClient,
  query: PaymentQuery,
  { now }: Reading,
): Promise<Found | null> {
  const { reference, account } = query;
  if (reference === null) return searchPayment(stripe, query, now);

  const call = callOf(account);
  if (isSession(reference)) {
    const session = await orNull(stripe.checkout.sessions.retrieve(reference, withIntent, call));
    return session && { kind: "session", session };
  }
  if (reference.startsWith("seti_")) {
    const setup = await orNull(stripe.setupIntents.retrieve(reference, {}, call));
    return setup && { kind: "setup", setup };
  }
  const intent = await orNull(stripe.paymentIntents.retrieve(reference, {}, call));
  return intent && { kind: "intent", intent };
}

/**
 * Searches for a payment. The answer with Stripe's id was lost, but our own id
 * stands in the metadata.
 */
async function searchPayment(
  stripe: StripeClient,
  { id, account, created_at, signal }: PaymentQuery,
  now: number,
): Promise<Found | null> {
  const call = callOf(account);
  const created = {
    gte: Math.floor((created_at - aroundMs) / 1000),
    lte: Math.ceil((created_at + aroundMs) / 1000),
  };

  for await (const session of stripe.checkout.sessions.list({ created, limit: 100 }, call)) {
    signal.throwIfAborted();
    if (session.metadata?.["payment_id"] !== id) continue;
    const whole = await stripe.checkout.sessions.retrieve(session.id, withIntent, call);
    return { kind: "session", session: whole };
  }
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100 }, call)) {
    signal.throwIfAborted();
    if (intent.metadata["payment_id"] === id && !isOfCheckout(intent))
      return { kind: "intent", intent };
  }
  try {
    for await (const setup of stripe.setupIntents.list({ created, limit: 100 }, call)) {
      signal.throwIfAborted();
      if (setup.metadata?.["payment_id"] === id && !isOfCheckout(setup))
        return { kind: "setup", setup };
    }
  } catch (error) {
    // A key that may not read setups may not create them either, so there is none to find.
    if (!refusalOf(error).isForbidden) throw error;
  }

  if (now - created_at < listedWithinMs)
    throw new Error(`Stripe lists no payment with the id ${id} yet: its result is unknown.`);
  return null;
}

/**
 * Tells whether a Checkout Session of ours made this intent: the session then tells
 * how it stands.
 */
export const isOfCheckout = ({ metadata }: Pick<StripeSession, "metadata">): boolean =>
  metadata?.["taken_by"] === checkoutMark.taken_by;
