import { fail } from "#core/contract/errors.ts";
import type { GatewayMessage } from "#core/payments/gateway/gateway-message.ts";
import type {
  GatewayNotification,
  PaymentFact,
  PaymentResult,
  RefundFact,
} from "#core/payments/gateway/gateway-results.ts";
import { fromStripeAmount } from "./amounts.ts";
import { callOf, type StripeClient } from "./client.ts";
import { type DisputeFact, disputeSteps, idOf } from "./dispute-steps.ts";
import { isWrongSignature, orNull } from "./errors.ts";
import { withFee } from "./fees.ts";
import { isOfCheckout, withIntent, withKept } from "./look-up.ts";
import type {
  StripeEvent,
  StripeIntent,
  StripeRefund,
  StripeSession,
  StripeSetup,
} from "./objects.ts";
import { refundStatus } from "./refunds.ts";
import { intentResult, type Reading, sessionResult } from "./results.ts";
import { withSavedMethod } from "./saved.ts";
import { setupResult, withSetupMethod } from "./setups.ts";
import { endTriedIntent, endTriedSetup } from "./tries.ts";

/** Who reads the messages, and how. */
export interface MessageReader {
  readonly stripe: StripeClient;
  readonly secrets: readonly string[];
  readonly livemode: boolean;
  /** When it is false, a message of a connected account is another product's. */
  readonly takesAccounts: boolean;
  reading(account: string | null): Reading;
}

/** The facts of an event, each with a name that no other fact of that event has. */
type Facts = readonly (readonly [name: string, fact: PaymentFact | RefundFact | DisputeFact])[];

/**
 * Reads a message of Stripe. The list is empty for events of other products, modes
 * and accounts. Throws when the bytes are not signed with one of our secrets, and
 * `service_unavailable` when Stripe does not return the object of the event.
 */
export async function readMessage(
  reader: MessageReader,
  message: GatewayMessage,
): Promise<readonly GatewayNotification[]> {
  const event = await verifiedEvent(reader, message);
  if (event === null || event.livemode !== reader.livemode) return [];
  const account = event.account ?? null;
  if (account !== null && !reader.takesAccounts) return [];

  const unavailable = (cause: unknown) => fail("service_unavailable", { cause });
  const facts = await factsOf({ ...reader, account }, event).catch(unavailable);
  return facts.map(([name, fact]) => ({
    ...fact,
    notification_id: `${event.id}:${name}`,
    account,
  }));
}

/** Gives null for a thin event: it says nothing about payments, and the client cannot read it. */
async function verifiedEvent(
  { stripe, secrets }: MessageReader,
  { body, header }: GatewayMessage,
): Promise<StripeEvent | null> {
  // The signature counts every byte, so a byte order mark must stay where it is.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const signature = header("stripe-signature") ?? "";

  for (const secret of secrets) {
    try {
      return await stripe.webhooks.constructEventAsync(text, signature, secret);
    } catch (error) {
      if (!isWrongSignature(error) && isThinEvent(text)) return null;
    }
  }
  throw new Error(
    "No secret of `webhookSecret` signed this message within the last five minutes. " +
      "Each endpoint at Stripe has a secret of its own, and the body must be passed unparsed.",
  );
}

/** Tells whether this is an event of Stripe's API v2, which names its object without holding it. */
function isThinEvent(text: string): boolean {
  try {
    return JSON.parse(text)?.object === "v2.core.event";
  } catch {
    return false;
  }
}

type AccountReader = MessageReader & { readonly account: string | null };

async function factsOf(reader: AccountReader, { type, data }: StripeEvent): Promise<Facts> {
  const object = data?.object as { readonly id?: unknown } | undefined;
  if (typeof object?.id !== "string") return [];

  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired":
      return sessionFacts(reader, type, object as StripeSession);
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled":
      return intentFacts(reader, object as StripeIntent);
    case "setup_intent.succeeded":
    case "setup_intent.canceled":
    case "setup_intent.setup_failed":
      return setupFacts(reader, object as StripeSetup);
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.refund.updated":
      return refundFacts(reader, object.id);
    case "charge.refunded":
      return chargeFacts(reader, object.id);
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
    case "charge.dispute.closed":
      return disputeFacts(reader, object.id);
    default:
      return [];
  }
}

/** Finds our id in the metadata. An object without it is another product's. */
function paymentIdOf(metadata: StripeSession["metadata"] | undefined): string | null {
  const id: unknown = metadata?.["payment_id"];
  return typeof id === "string" && id.startsWith("pay_") ? id : null;
}

/** Gives a session's facts. Its message tells all that counts, and no later one takes it back. */
async function sessionFacts(
  reader: AccountReader,
  type: string,
  session: StripeSession,
): Promise<Facts> {
  const payment_id = paymentIdOf(session.metadata);
  if (payment_id === null) return [];

  const reading = reader.reading(reader.account);
  const told = sessionResult(session, reading);
  if (type === "checkout.session.async_payment_failed" && told.status !== "succeeded")
    // Of the methods that the gateway offers only a boleto comes later, until it expires.
    return [["payment", { ...told, type: "payment", payment_id, ...expired }]];
  if (told.status === "succeeded" && session.customer)
    return [["payment", { ...(await savedBy(reader, session)), type: "payment", payment_id }]];
  if (told.status !== "pending") {
    const whole = await withFee(reader.stripe, told, session.payment_intent, reader.account);
    return [["payment", { ...whole, type: "payment", payment_id }]];
  }

  // Only the session's intent has the number of the boleto that the buyer pays now. The message
  // counts without it too, so it does not fail with Stripe's answer.
  const whole = await reader.stripe.checkout.sessions
    .retrieve(session.id, { expand: ["payment_intent"] }, callOf(reader.account))
    .catch(() => session);
  return [["payment", { ...sessionResult(whole, reading), type: "payment", payment_id }]];
}

/** Reads a paid session anew with its intent, which names the card that is kept. */
async function savedBy(
  { stripe, reading, account }: AccountReader,
  { id }: StripeSession,
): Promise<PaymentResult> {
  const whole = await stripe.checkout.sessions.retrieve(id, withIntent, callOf(account));
  return withKept(stripe, sessionResult(whole, reading(account)), whole, account);
}

const expired = { status: "failed", failure_code: "expired" } as const;

async function intentFacts(
  { stripe, reading, account }: AccountReader,
  intent: StripeIntent,
): Promise<Facts> {
  const payment_id = paymentIdOf(intent.metadata);
  if (payment_id === null || isOfCheckout(intent)) return [];

  const told = intentResult(intent, reading(account));
  const ended = takesCards(told) ? await endTriedIntent(stripe, intent, account) : null;
  const result = ended ? intentResult(ended, reading(account)) : told;
  const whole = await withSavedMethod(stripe, result, ended ?? intent, account);
  return [["payment", { ...whole, type: "payment", payment_id }]];
}

/** Tells whether the form of a page is open, in which the buyer may try another card. */
const takesCards = ({ next_action }: PaymentResult): boolean =>
  next_action?.type === "client_secret";

/** Gives the facts of a card that the host's own page keeps without a payment. */
async function setupFacts(
  { stripe, reading, account }: AccountReader,
  setup: StripeSetup,
): Promise<Facts> {
  const payment_id = paymentIdOf(setup.metadata);
  if (payment_id === null || isOfCheckout(setup)) return [];

  const told = setupResult(setup, reading(account));
  const ended = takesCards(told) ? await endTriedSetup(stripe, setup, account) : null;
  const result = ended ? setupResult(ended, reading(account)) : told;
  const whole = await withSetupMethod(stripe, result, ended ?? setup, account);
  return [["payment", { ...whole, type: "payment", payment_id }]];
}

/**
 * Gives the fact of the payment that a refund or a dispute is about. It is told
 * first, because its own message may come later, and until then nobody knows whose
 * money went back. Null means that the money was for another product than ours.
 */
async function paymentFacts(
  { stripe, reading, account }: AccountReader,
  intent: string | StripeIntent | null,
): Promise<Facts | null> {
  if (intent === null || typeof intent === "string") return null;
  const payment_id = paymentIdOf(intent.metadata);
  if (payment_id === null) return null;
  if (intent.status !== "succeeded") return [];

  if (!isOfCheckout(intent)) {
    const told = intentResult(intent, reading(account));
    const result = await withSavedMethod(stripe, told, intent, account);
    return [["payment", { ...result, type: "payment", payment_id }]];
  }
  const params = { payment_intent: intent.id, limit: 1 };
  for await (const session of stripe.checkout.sessions.list(params, callOf(account))) {
    const told = sessionResult({ ...session, payment_intent: intent }, reading(account));
    const result = await withSavedMethod(stripe, told, intent, account);
    return [["payment", { ...result, type: "payment", payment_id }]];
  }
  return [];
}

/**
 * Asks Stripe for the refund. The message is a hint: a refund changes often, and
 * messages overtake each other.
 */
async function refundFacts(reader: AccountReader, id: string): Promise<Facts> {
  const params = { expand: ["payment_intent"] };
  const call = callOf(reader.account);
  const refund = await orNull(reader.stripe.refunds.retrieve(id, params, call));
  if (refund === null) return [];

  const payment = await paymentFacts(reader, refund.payment_intent);
  return payment ? [...payment, refundFact(refund)] : [];
}

/** Gives the facts of all refunds of a charge. */
async function chargeFacts(reader: AccountReader, id: string): Promise<Facts> {
  const params = { charge: id, limit: 100, expand: ["data.payment_intent"] };
  const refunds: StripeRefund[] = [];
  for await (const refund of reader.stripe.refunds.list(params, callOf(reader.account)))
    refunds.push(refund);

  const payment = await paymentFacts(reader, refunds[0]?.payment_intent ?? null);
  return payment ? [...payment, ...refunds.map(refundFact)] : [];
}

function refundFact(refund: StripeRefund): Facts[number] {
  const { id, amount, currency, metadata, failure_reason } = refund;
  const refund_id = metadata?.["refund_id"];
  return [
    `refund:${id}`,
    {
      type: "refund",
      status: refundStatus(refund),
      reference: id,
      payment_reference: idOf(refund.payment_intent),
      amount: fromStripeAmount(amount, currency),
      currency: currency.toUpperCase(),
      ...(refund_id?.startsWith("rf_") && { refund_id }),
      ...(failure_reason !== undefined && { failure_reason }),
    },
  ];
}

async function disputeFacts(reader: AccountReader, id: string): Promise<Facts> {
  const params = { expand: ["payment_intent"] };
  const call = callOf(reader.account);
  const dispute = await orNull(reader.stripe.disputes.retrieve(id, params, call));
  if (dispute === null) return [];

  const payment = await paymentFacts(reader, dispute.payment_intent);
  return payment ? [...payment, ...disputeSteps(dispute)] : [];
}
