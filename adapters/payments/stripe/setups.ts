import type { PaymentRequest } from "#core/payments/gateway/gateway.ts";
import type { PaymentResult } from "#core/payments/gateway/gateway-results.ts";
import { callOf, type StripeClient } from "./client.ts";
import { checkoutMark, ids, refused, sessionEnd, takesIntent } from "./create.ts";
import { customerOf } from "./customers.ts";
import { refusalOf } from "./errors.ts";
import type { StripeSession, StripeSetup } from "./objects.ts";
import { declineCode, type Flow, ownPage, type Reading, sessionResult } from "./results.ts";
import { keptMethod } from "./saved.ts";

// A SetupIntent keeps a card that nothing is charged to. It has no currency, so that its metadata
// names the one of the order.

interface Way {
  readonly flow: Flow;
  readonly reading: Reading;
}

/** Keeps a card without a payment, on Stripe's page or with Stripe's script. */
export async function saveMethod(
  stripe: StripeClient,
  request: PaymentRequest,
  { flow, reading }: Way,
): Promise<PaymentResult> {
  const { id, account, method, description, currency } = request;
  if (method.type !== "card")
    return refused(request, "Stripe keeps only cards for later payments.");

  const metadata = { ...ids(request), currency };
  const call = callOf(account, id);
  try {
    const customer = await customerOf(stripe, request);
    const shared = { customer, payment_method_types: ["card" as const], metadata };
    if (takesIntent(flow, request)) {
      const params = { ...shared, usage: "off_session", description } as const;
      return setupResult(await stripe.setupIntents.create(params, call), reading);
    }
    const session = await stripe.checkout.sessions.create(
      {
        ...shared,
        mode: "setup",
        setup_intent_data: { description, metadata: { ...metadata, ...checkoutMark } },
        client_reference_id: id,
        success_url: request.return_url,
        cancel_url: request.return_url,
        expires_at: Math.floor(sessionEnd(request) / 1000),
      },
      call,
    );
    return sessionResult(session, reading);
  } catch (error) {
    const { isDecline, message, code, decline_code } = refusalOf(error);
    const result = refused(request, message);
    if (!isDecline) return result;
    return { ...result, failure_code: "declined", ...declineCode({ code, decline_code }) };
  }
}

const asked = ({ id, metadata }: StripeSetup) => ({
  reference: id,
  amount: 0,
  currency: metadata?.["currency"] ?? "",
});

/** What the reasons of a cancellation mean: with `duplicate`, too many cards were tried. */
const endings: ReadonlyMap<string | null, "expired" | "fraud"> = new Map([
  ["abandoned", "expired"],
  ["duplicate", "fraud"],
]);

/** Tells how a SetupIntent stands that the gateway made itself. */
export function setupResult(setup: StripeSetup, reading: Reading): PaymentResult {
  const { status, cancellation_reason } = setup;
  if (status === "succeeded")
    return { ...asked(setup), payment_reference: setup.id, status: "succeeded" };
  if (status === "canceled") {
    const failure_code = endings.get(cancellation_reason) ?? "canceled";
    return { ...asked(setup), status: "failed", failure_code };
  }

  const waitsForBuyer = status === "requires_payment_method" || status === "requires_action";
  if (!waitsForBuyer) return { ...asked(setup), status: "pending" };
  return { ...asked(setup), ...ownPage(setup, reading) };
}

/** Adds the card that a SetupIntent has kept to its result. */
export async function withSetupMethod(
  stripe: StripeClient,
  result: PaymentResult,
  setup: StripeSession["setup_intent"],
  account: string | null,
): Promise<PaymentResult> {
  if (result.status !== "succeeded" || !setup || typeof setup === "string") return result;

  return { ...result, ...(await keptMethod(stripe, setup, account)) };
}
