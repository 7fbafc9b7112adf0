import { callOf, type StripeCall, type StripeClient } from "./client.ts";
import { refusalOf } from "./errors.ts";
import type { StripeIntent, StripeSetup } from "./objects.ts";

/**
 * The most cards that may be refused in one form on a page. People try out stolen cards there, and
 * all their tries are one payment: https://docs.stripe.com/disputes/prevention/card-testing
 */
const mostRefused = 10;

/**
 * Cancels a PaymentIntent in whose form ten cards were refused. Gives the intent as it is then, or
 * null while it takes more cards.
 */
export function endTriedIntent(
  stripe: StripeClient,
  { id }: StripeIntent,
  account: string | null,
): Promise<StripeIntent | null> {
  return endTried(account, {
    tries: (call) => stripe.charges.list({ payment_intent: id, limit: 100 }, call),
    cancel: (call) => stripe.paymentIntents.cancel(id, { cancellation_reason: "fraudulent" }, call),
    read: (call) => stripe.paymentIntents.retrieve(id, {}, call),
  });
}

/** Does for the form of a SetupIntent what `endTriedIntent` does for that of a PaymentIntent. */
export function endTriedSetup(
  stripe: StripeClient,
  { id }: StripeSetup,
  account: string | null,
): Promise<StripeSetup | null> {
  return endTried(account, {
    tries: (call) => stripe.setupAttempts.list({ setup_intent: id, limit: 100 }, call),
    // Stripe knows no fraud here. Nobody else gives this reason.
    cancel: (call) => stripe.setupIntents.cancel(id, { cancellation_reason: "duplicate" }, call),
    read: (call) => stripe.setupIntents.retrieve(id, {}, call),
  });
}

interface Tried<Intent> {
  tries(call: StripeCall): AsyncIterable<{ readonly status: string }>;
  cancel(call: StripeCall): Promise<Intent>;
  read(call: StripeCall): Promise<Intent>;
}

async function endTried<Intent>(
  account: string | null,
  { tries, cancel, read }: Tried<Intent>,
): Promise<Intent | null> {
  const call = callOf(account);
  if (!(await isTriedOut(tries, call))) return null;

  try {
    return await cancel(call);
  } catch (error) {
    // It is over already: paid, or canceled by the same message that came before.
    refusalOf(error);
    return read(call);
  }
}

/** A key that may not read the tries still takes payments: nothing is counted then. */
async function isTriedOut(tries: Tried<unknown>["tries"], call: StripeCall): Promise<boolean> {
  let refused = 0;
  try {
    for await (const { status } of tries(call))
      if (status === "failed" && ++refused === mostRefused) return true;
  } catch {
    return false;
  }
  return false;
}
