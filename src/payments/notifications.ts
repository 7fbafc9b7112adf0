import { fail } from "../contract/errors.ts";
import { type ChosenAttempt, chooseAttempt } from "../rules/notified-attempt.ts";
import type { AttemptRecord } from "../rules/payment-records.ts";
import { applyPaymentResult } from "./apply-payment.ts";
import { eventIds, type PaymentContext } from "./context.ts";
import type {
  DisputeClosedFact,
  DisputeOpenedFact,
  GatewayNotification,
  PaymentFact,
} from "./gateway.ts";
import { findGateway } from "./gateway-calls.ts";
import { readResult } from "./read-result.ts";

export interface NotificationMessage {
  readonly livemode: boolean;
  /** The body as it was received: signatures are made over these bytes. */
  readonly body: Uint8Array;
  /** The address that the provider called; empty when it is not known. */
  readonly url?: string;
  header(name: string): string | undefined;
}

export interface NotificationResult {
  /**
   * `applied`: the payment changed. `unchanged`: the notification is a repeat, or changes nothing.
   * `ignored`: the gateway says that the message is not ours. `unknown_payment`: no payment of this
   * reference is known yet, so the provider should send the message again.
   */
  readonly outcome: "applied" | "unchanged" | "ignored" | "unknown_payment";
  readonly order_id: string | null;
}

/**
 * A notification names no store. The payment attempt does, which is found by the gateway's
 * reference, or by our own id when the notification arrives before the answer with the reference.
 * Of a message with several facts, the result is that of the most important one.
 */
export async function handleNotification(
  ctx: PaymentContext,
  gateway_id: string,
  { livemode, body, url = "", header }: NotificationMessage,
): Promise<NotificationResult> {
  const gateway = findGateway(ctx, gateway_id, livemode);
  if (!gateway?.parseNotification)
    return fail("gateway_error", {
      message: "No gateway of that id and mode that reads notifications is configured.",
    });

  const facts = await gateway.parseNotification({ body, url, header });
  const results: NotificationResult[] = [];
  for (const fact of facts) {
    const reading = { gateway, subject: fact.notification_id, isNew: false };
    const read = fact.type === "payment" ? readResult(ctx, reading, fact) : fact;
    results.push(await applyFact(ctx, { gateway: gateway_id, livemode }, read));
  }
  return (
    byImportance
      .map((outcome) => results.find((result) => result.outcome === outcome))
      .find((result) => result !== undefined) ?? { outcome: "ignored", order_id: null }
  );
}

const byImportance = ["unknown_payment", "applied", "unchanged", "ignored"] as const;

interface Sender {
  readonly gateway: string;
  readonly livemode: boolean;
}

async function applyFact(
  ctx: PaymentContext,
  sender: Sender,
  fact: GatewayNotification,
): Promise<NotificationResult> {
  const { notification_id } = fact;
  const { attempt, foreign } = await findAttempt(ctx, sender, fact);
  if (foreign) {
    await alertForeign(ctx, sender, fact, foreign);
    return { outcome: "ignored", order_id: null };
  }
  if (!attempt) {
    ctx.logger?.warn(
      { gateway: sender.gateway, notification_id },
      "vitrine: a notification names a payment that is not known",
    );
    return { outcome: "unknown_payment", order_id: null };
  }

  const { order_id } = attempt;
  if (await changes(ctx, attempt, fact)) return { outcome: "applied", order_id };

  ctx.logger?.info(
    { gateway: sender.gateway, notification_id, order_id },
    "vitrine: a notification changed nothing",
  );
  return { outcome: "unchanged", order_id };
}

async function findAttempt(
  ctx: PaymentContext,
  sender: Sender,
  fact: GatewayNotification,
): Promise<ChosenAttempt> {
  const { payment_reference } = fact;
  const reference = fact.type === "payment" ? fact.reference : null;
  const names = {
    ...sender,
    account: fact.account ?? null,
    references: [payment_reference, reference].filter((name) => typeof name === "string"),
    payment_id: fact.type === "payment" ? (fact.payment_id ?? null) : null,
  };
  return chooseAttempt(await ctx.storage.orders.findAttempts(names), names);
}

const alertQuietMs = 86_400_000;

/** Our id in the message names a payment of another gateway, mode or account. */
async function alertForeign(
  ctx: PaymentContext,
  sender: Sender,
  fact: GatewayNotification,
  { store_id, livemode, id, order_id }: AttemptRecord,
): Promise<void> {
  const now = ctx.now();
  const alert = {
    id: ctx.newId("alr"),
    store_id,
    livemode,
    type: "payment_account_mismatch",
    subject: id,
    data: { order_id, gateway: sender.gateway, account: fact.account ?? null },
    created_at: now,
  };
  const { raised } = await ctx.storage.access.raiseAlert(alert, now - alertQuietMs);
  if (raised) await ctx.tellAlert(alert).catch((error: unknown) => ctx.onError(error, "onAlert"));
}

/** Applies the fact, and tells whether it changed anything. */
async function changes(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  fact: GatewayNotification,
): Promise<boolean> {
  switch (fact.type) {
    case "payment":
      return applyPayment(ctx, attempt, fact);
    case "dispute_opened":
      return openDispute(ctx, attempt, fact);
    case "dispute_closed":
      return closeDispute(ctx, attempt, fact);
    case "refund":
      return false;
  }
}

async function applyPayment(
  ctx: PaymentContext,
  attempt: AttemptRecord,
  fact: PaymentFact & { readonly notification_id: string },
): Promise<boolean> {
  const { outcome } = await applyPaymentResult(ctx, attempt, fact, fact.notification_id);
  return outcome !== "unchanged";
}

async function openDispute(
  ctx: PaymentContext,
  { store_id, livemode, order_id }: AttemptRecord,
  { reference: id, payment_reference, amount, reason, due_by, inquiry }: DisputeOpenedFact,
): Promise<boolean> {
  if (inquiry) return false;

  const opened = await ctx.storage.orders.openDispute({
    store_id,
    livemode,
    order_id,
    dispute: {
      id,
      payment_reference,
      amount,
      reason: reason ?? null,
      due_by: due_by ?? null,
      notified: true,
    },
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (opened.outcome !== "opened") return false;

  ctx.committed({ store_id, livemode });
  return true;
}

async function closeDispute(
  ctx: PaymentContext,
  { store_id, livemode, order_id }: AttemptRecord,
  { reference: dispute_id, result }: DisputeClosedFact,
): Promise<boolean> {
  const closed = await ctx.storage.orders.closeDispute({
    store_id,
    livemode,
    order_id,
    dispute_id,
    result,
    now: ctx.now(),
  });
  return closed.outcome === "closed";
}
