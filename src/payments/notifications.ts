import { z } from "zod";
import { ApiError, fail, isApiError } from "../contract/errors.ts";
import { dayMs } from "../domain/durations.ts";
import { check, missing } from "../input/check.ts";
import {
  type ChosenAttempt,
  carriesReference,
  chooseAttempt,
} from "../rules/payments/notified-attempt.ts";
import type { AttemptRecord } from "../rules/payments/payment-records.ts";
import { applyPaymentResult } from "./apply-payment.ts";
import type { PaymentContext } from "./context.ts";
import { findGateway } from "./gateway/find-gateway.ts";
import type { PaymentGateway } from "./gateway/gateway.ts";
import type { GatewayNotification, PaymentFact } from "./gateway/gateway-results.ts";
import { type ReadFact, readFact } from "./gateway/read-fact.ts";
import { readResult } from "./gateway/read-result.ts";
import { judgeUnknown } from "./maintenance/unknown-payment.ts";
import { applyMoneyFact } from "./refunds/refund-notifications.ts";

/** A message of a provider, as it came. */
export interface NotificationMessage {
  readonly livemode: boolean;
  /** The body is as it was received: signatures are made over these bytes. */
  readonly body: Uint8Array;
  /** The provider called this address. It is empty when it is not known. */
  readonly url?: string;
  /** `POST` when it is left out. */
  readonly method?: string;
  /**
   * Your framework's request: a gateway may read the client's certificate
   * from it.
   */
  readonly native?: unknown;
  /** Gives a header's value by its name. The case of the name does not matter. */
  header(name: string): string | undefined;
}

/** What became of a provider's message. */
export interface NotificationResult {
  /**
   * `applied` means that the payment changed. `unchanged` means that the
   * notification is a repeat, or changes nothing. `ignored` means that the message
   * is not ours. `unknown_payment` means that it names an id of ours that is not
   * known here yet. Answer 409, so that the provider sends it again; every other
   * outcome is 200.
   */
  readonly outcome: "applied" | "unchanged" | "ignored" | "unknown_payment";
  readonly order_id: string | null;
}

/**
 * Handles a provider's message. A notification names no store. The payment attempt
 * does, which is found by the gateway's reference, or by our own id when the
 * notification arrives before the answer with the reference. The result for a
 * message with several facts is that of the most important one.
 */
export async function handleNotification(
  ctx: PaymentContext,
  gateway_id: string,
  message: NotificationMessage,
): Promise<NotificationResult> {
  checkMessage(message);
  const { livemode, body, header, url = "", method = "POST", native } = message;
  const gateway = findGateway(ctx, gateway_id, livemode);
  if (!gateway?.parseNotification)
    return fail("gateway_error", {
      message: "No gateway of that id and mode that reads notifications is configured.",
    });

  const parse = gateway.parseNotification.bind(gateway);
  const facts: unknown = await readFacts(() => parse({ body, url, method, native, header }));
  if (!Array.isArray(facts))
    return fail("invalid_gateway_result", {
      message: `Gateway ${gateway_id} gave no list of facts.`,
    });
  return mostImportant(await applyFacts(ctx, gateway, facts));
}

const MessageInput = z.object({
  livemode: z.boolean(),
  body: z.custom((value) => ArrayBuffer.isView(value), "must be the bytes as they came"),
  header: z.custom((value) => typeof value === "function", "must be a function"),
});

/** Refuses a message that a route of the host's own did not fill, by the name of its field. */
function checkMessage(message: unknown): void {
  if (message == null) throw missing("message");
  check(MessageInput, message);
}

type Facts = readonly GatewayNotification[];

/**
 * Reads the facts. Whatever a gateway throws means that it refuses the message, and
 * changes nothing. Only errors of this library pass as they are.
 */
async function readFacts(parse: () => Promise<Facts>): Promise<Facts> {
  try {
    return await parse();
  } catch (cause) {
    if (isApiError(cause)) throw cause;
    return fail("notification_refused", { cause });
  }
}

/**
 * Applies the facts one by one. When one fails, the others are still applied. The
 * first failure is thrown at the end, so that the provider sends the whole message
 * again; the facts that were applied are then known by their ids. When the storage
 * is down every fact would fail, so it stops. A part that the gateway could not
 * read counts as a failure, and so does a fact that lacks a field of its type.
 */
async function applyFacts(
  ctx: PaymentContext,
  gateway: PaymentGateway,
  facts: Facts,
): Promise<readonly NotificationResult[]> {
  const sender = { gateway: gateway.id, livemode: gateway.livemode };
  const results: NotificationResult[] = [];
  const failures: unknown[] = [];

  for (const fact of facts) {
    try {
      if (fact?.type === "unread") {
        failures.push(new ApiError("service_unavailable", { cause: fact.cause }));
        continue;
      }
      const read = readFact(gateway.id, fact);
      const reading = { gateway, subject: read.notification_id, isNew: false };
      const known = read.type === "payment" ? readResult(ctx, reading, read) : read;
      results.push(await applyFact(ctx, sender, known));
    } catch (error) {
      failures.push(error);
      if (isApiError(error) && error.code === "service_unavailable") break;
    }
  }

  const [first, ...others] = failures;
  for (const error of others) ctx.onError(error, `gateway:${gateway.id}`);
  if (failures.length > 0) throw first;
  return results;
}

const mostImportant = (results: readonly NotificationResult[]): NotificationResult =>
  byImportance
    .map((outcome) => results.find((result) => result.outcome === outcome))
    .find((result) => result !== undefined) ?? { outcome: "ignored", order_id: null };

const byImportance = ["unknown_payment", "applied", "unchanged", "ignored"] as const;

interface Sender {
  readonly gateway: string;
  readonly livemode: boolean;
}

async function applyFact(
  ctx: PaymentContext,
  sender: Sender,
  fact: ReadFact,
): Promise<NotificationResult> {
  if (fact.type === "saved_method_gone") {
    // This module is loaded with the first such message, because most gateways send none.
    const { endSavedMethod } = await import("./renewals/saved-method-gone.ts");
    return endSavedMethod(ctx, sender, fact);
  }
  if (fact.type === "agreement") {
    const { applyAgreementFact } = await import("./renewals/agreements.ts");
    return applyAgreementFact(ctx, sender, fact);
  }
  if (fact.type !== "payment") {
    const told = await applyMoneyFact(ctx, sender, fact);
    return told.order_id === null ? refuseUnknown(ctx, sender, fact) : told;
  }

  const { notification_id } = fact;
  const { attempt, foreign, rivals } = await findAttempt(ctx, sender, fact);
  if (foreign) {
    await alertAbout(ctx, sender, fact, { type: "payment_account_mismatch", attempt: foreign });
    return { outcome: "ignored", order_id: null };
  }
  for (const rival of rivals)
    await alertAbout(ctx, sender, fact, { type: "payment_ambiguous", attempt: rival });
  if (rivals.length > 0) return { outcome: "ignored", order_id: null };
  if (!attempt) return refuseUnknown(ctx, sender, fact);

  const { order_id } = attempt;
  const applied = await applyPaymentResult(ctx, attempt, fact, { notification_id });
  if (applied.outcome !== "unchanged") return { outcome: "applied", order_id };

  ctx.logger?.info(
    { gateway: sender.gateway, notification_id, order_id },
    "vitrine: a notification changed nothing",
  );
  return { outcome: "unchanged", order_id };
}

function refuseUnknown(ctx: PaymentContext, sender: Sender, fact: ReadFact): NotificationResult {
  ctx.logger?.warn(
    { gateway: sender.gateway, notification_id: fact.notification_id },
    "vitrine: a notification names a payment that is not known",
  );
  return { outcome: judgeUnknown(ctx, sender, fact), order_id: null };
}

async function findAttempt(
  ctx: PaymentContext,
  sender: Sender,
  fact: PaymentFact & Pick<GatewayNotification, "account">,
): Promise<ChosenAttempt> {
  const { reference, payment_reference, payment_id = null } = fact;
  const names = {
    ...sender,
    account: fact.account ?? null,
    references: [payment_reference, reference].filter((name) => typeof name === "string"),
    payment_id,
  };
  const { orders } = ctx.storage;
  const found = await orders.findAttempts(names);

  // Later money of an attempt has a reference that its own row does not have.
  const byId = found.find(({ id }) => id === payment_id);
  if (!byId || found.length === 1 || carriesReference(byId, names))
    return chooseAttempt(found, names);
  const carriers = await orders.findAttempts({ ...names, payment_id: null });
  const isCarrier = carriers.some(({ id }) => id === byId.id);
  return chooseAttempt(isCarrier ? [byId] : found, names);
}

const alertQuietMs = dayMs;

interface NotifiedAlert {
  readonly type: "payment_account_mismatch" | "payment_ambiguous";
  readonly attempt: AttemptRecord;
}

/** Tells the owner of a payment that a message names, and that was not changed by it. */
async function alertAbout(
  ctx: PaymentContext,
  sender: Sender,
  fact: GatewayNotification,
  { type, attempt: { store_id, livemode, id, order_id } }: NotifiedAlert,
): Promise<void> {
  const now = ctx.now();
  const alert = {
    id: ctx.newId("alr"),
    store_id,
    livemode,
    type,
    subject: id,
    data: { order_id, gateway: sender.gateway, account: fact.account ?? null },
    created_at: now,
  };
  const { raised } = await ctx.storage.access.raiseAlert(alert, now - alertQuietMs);
  if (raised) await ctx.tellAlert(alert).catch((error: unknown) => ctx.onError(error, "onAlert"));
}
