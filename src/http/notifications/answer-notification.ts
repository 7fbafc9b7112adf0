import { isApiError } from "../../contract/errors.ts";
import { timeBox } from "../../domain/async/time-box.ts";
import { decodePercent } from "../../domain/text/percent.ts";
import type { CheckoutService } from "../../payments/checkout/checkout-service.ts";
import type { PaymentContext } from "../../payments/context.ts";
import type { PaymentGateway } from "../../payments/gateway/gateway.ts";
import { isBrokenOff } from "../body.ts";
import { BodyRefused, type LargeBodies } from "../large-bodies.ts";
import { splitTarget, type WireReply, type WireRequest } from "../wire.ts";

export interface NotificationContext
  extends Pick<PaymentContext, "gateways" | "logger" | "newId" | "onError"> {
  readonly checkout: Pick<CheckoutService, "handleNotification">;
  /** The full public path that `/gateways/…` follows. */
  readonly path: string;
  /**
   * The public origin of the deployment. It is empty where the host has not
   * given it.
   */
  readonly publicOrigin: string;
  readonly largeBodies: LargeBodies;
}

const maxBytes = 1_048_576;
/** Providers wait some 20 s or longer for an answer, and then send the message again. */
const answerWithinMs = 20_000;
/** A message comes whole within this time: else a stranger could keep its memory for minutes. */
const bodyWithinMs = 10_000;

/**
 * Lists each way to answer a message. A provider sends it again after every answer
 * that is not 2xx.
 */
const answers = {
  applied: [200, "The message was applied."],
  unchanged: [200, "The message was known, or changes nothing."],
  ignored: [200, "The message is about nothing that is known here."],
  too_slow: [408, "The message did not come within 10 s."],
  broken_off: [400, "The message broke off."],
  refused: [400, "The gateway refused the message."],
  unknown_gateway: [404, "No gateway of this id and mode takes messages here."],
  wrong_method: [405, "Messages are sent by POST."],
  unknown_payment: [409, "The payment is not known yet. Send the message again."],
  too_large: [413, "The message is larger than 1 MiB."],
  body_gone: [500, "The host has read the message before it could be checked."],
  failed: [500, "The message could not be applied. Send it again."],
  too_many: [503, "Too many large messages come at once. Send it again."],
  unavailable: [503, "The message could not be applied now. Send it again."],
} as const satisfies Readonly<Record<string, readonly [status: number, text: string]>>;
type Answer = keyof typeof answers;

const retryAfterSeconds = "30";

/** Answers one request. `address` follows `/gateways/` in its path. */
export async function answerNotification(
  ctx: NotificationContext,
  request: WireRequest,
  address: string,
): Promise<WireReply> {
  const gateway = gatewayAt(ctx, address);
  if (!gateway) return answerUnknown(ctx, request);

  const where = `notification:${gateway.id}`;
  const answer = await timeBox(takeMessage(ctx, request, gateway), answerWithinMs, () => {
    ctx.onError(new Error("A notification was not applied within 20 s."), where);
    return "unavailable" as const;
  });
  return replyWith(ctx, request, { answer, gateway });
}

/** Answers a request whose path names no gateway. */
export const answerUnknown = (ctx: NotificationContext, request: WireRequest): WireReply =>
  replyWith(ctx, request, { answer: "unknown_gateway", gateway: null });

/**
 * Gives null for an address of another form, and for a gateway that reads no
 * messages.
 */
function gatewayAt({ gateways }: NotificationContext, address: string): PaymentGateway | null {
  const [, encoded, mode] = /^([^/]+)\/(live|test)(?:\/(?:pix|rec|cobr))?$/.exec(address) ?? [];
  if (encoded === undefined) return null;

  const id = decodePercent(encoded);
  const livemode = mode === "live";
  const found = gateways.find((gateway) => gateway.id === id && gateway.livemode === livemode);
  return found?.parseNotification ? found : null;
}

/**
 * Handles a message. It never rejects, because nobody waits for it any more once
 * its time is over.
 */
async function takeMessage(
  ctx: NotificationContext,
  request: WireRequest,
  gateway: PaymentGateway,
): Promise<Answer> {
  if (request.method !== "POST") return "wrong_method";
  if (Number(request.header("content-length") ?? 0) > maxBytes) return "too_large";

  return ctx.largeBodies.hold(bodyWithinMs, (watch) => takeBody(ctx, request, { gateway, watch }));
}

interface Taking {
  readonly gateway: PaymentGateway;
  readonly watch: Parameters<WireRequest["body"]>[1];
}

async function takeBody(
  ctx: NotificationContext,
  request: WireRequest,
  { gateway, watch }: Taking,
): Promise<Answer> {
  try {
    const body = await request.body(maxBytes, watch).catch(ignoreBrokenOff);
    if (body === undefined) return "broken_off";
    if (body === null) return "too_large";
    if (body instanceof Uint8Array) return await applyMessage(ctx, request, gateway, body);

    ctx.onError(new Error(bodyGone), "notifications");
    return "body_gone";
  } catch (error) {
    return answerToError(ctx, gateway, error);
  }
}

/**
 * Ignores the error of a provider that breaks off: it reads no answer, and the host
 * is told of no error.
 */
function ignoreBrokenOff(error: unknown): undefined {
  if (!isBrokenOff(error)) throw error;
}

const bodyGone =
  "A body parser has read a notification, so that its signature cannot be checked. " +
  "Mount `storefront.notifications` before body parsers, " +
  "or have the parser keep the bytes as `rawBody`: see docs/embedding.md.";

async function applyMessage(
  { checkout, publicOrigin }: NotificationContext,
  request: WireRequest,
  gateway: PaymentGateway,
  body: Uint8Array,
): Promise<Answer> {
  const { method, native, target } = request;
  const { path, query } = splitTarget(target);

  const { outcome } = await checkout.handleNotification(gateway.id, {
    livemode: gateway.livemode,
    body,
    url: `${publicOrigin}${path}${query === "" ? "" : `?${query}`}`,
    method,
    native,
    header: (name) => request.header(name.toLowerCase()),
  });
  return outcome;
}

function answerToError(ctx: NotificationContext, gateway: PaymentGateway, error: unknown): Answer {
  // Anybody can send such a body: nobody is told.
  if (error instanceof BodyRefused) return error.reason;

  const where = `notification:${gateway.id}`;
  // The storage's own error tells more than our code for it.
  if (isApiError(error) && error.code === "service_unavailable") {
    ctx.onError(error.details.cause ?? error, where);
    return "unavailable";
  }

  ctx.onError(error, where);
  return isApiError(error) && error.code === "notification_refused" ? "refused" : "failed";
}

interface Judged {
  readonly answer: Answer;
  /** Null when the address names none. The request is then not logged. */
  readonly gateway: PaymentGateway | null;
}

function replyWith(
  { logger, newId }: NotificationContext,
  { method }: WireRequest,
  { answer, gateway }: Judged,
): WireReply {
  const request_id = newId("req");
  const [status, text] = answers[answer];
  const details = { request_id, gateway: gateway?.id, livemode: gateway?.livemode, status, answer };
  logger?.info(details, "vitrine: a notification was answered");

  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-request-id": request_id,
    ...(status === 405 ? { allow: "POST" } : {}),
    ...(status === 503 ? { "retry-after": retryAfterSeconds } : {}),
  };
  return { status, headers, body: method === "HEAD" ? null : text };
}
