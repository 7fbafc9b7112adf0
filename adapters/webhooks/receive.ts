import type { WireReply } from "#core/http/wire.ts";
import { verifyWebhook, type WebhookEvent } from "#core/webhooks/verify.ts";
import { refuseUnknownNames } from "../unknown-options.ts";

/** The options of a receiver. */
export interface ReceiverOptions<Request> {
  /** The endpoint's secret, `whsec_` included. There are several during a rotation. */
  readonly secret: string | readonly string[];
  /**
   * Receives each verified event. When it returns, the delivery is answered 204.
   * When it throws, the answer is 500 and the event comes again: let a repeated
   * `event.id` be a no-op, and put what takes longer than a few seconds into a
   * queue of yours.
   */
  readonly onEvent: (event: WebhookEvent, request: Request) => void | Promise<void>;
  /** The most seconds by which the signature's time may differ from the clock. Default 300. */
  readonly tolerance?: number | undefined;
  /** The clock in epoch milliseconds, for tests. It is `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

export interface Received {
  readonly status: 204 | 400 | 413;
  /** The reason of a refusal, and empty when the event was taken. */
  readonly text: string;
}

interface ReceiverReply extends WireReply {
  readonly body: string | null;
}

/** Gives the reply for a host that writes an answer itself. */
export const replyOf = ({ status, text }: Received): ReceiverReply =>
  text === ""
    ? { status, headers: {}, body: null }
    : { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: text };

export const maxBytes = 1_048_576;
export const signatureHeader = "x-service-signature";
export const tooLarge: Received = { status: 413, text: "body_too_large" };

/** The framework's error handler receives it, because the mistake is in the host's mounting. */
export class ParsedBodyError extends Error {
  constructor(hint: string) {
    super(
      "The webhook's body was parsed before its signature could be checked, " +
        `and its bytes are gone. ${hint}`,
    );
    this.name = "ParsedBodyError";
  }
}

export const optionNames = ["secret", "onEvent", "tolerance", "now"];

/**
 * Refuses missing and unknown options at start: a receiver without a secret would refuse every
 * delivery.
 */
export function checkReceiver<Request>(options: ReceiverOptions<Request>): void {
  checkHandling(options);
  checkSecret(options.secret);
}

/** Refuses wrong options other than the secret, which a route reads at each request. */
export function checkHandling(
  options: Omit<ReceiverOptions<never>, "secret">,
  names: readonly string[] = optionNames,
): void {
  const { onEvent, tolerance = 300 } = options;
  refuseUnknownNames(options, names);
  if (typeof onEvent !== "function")
    throw new TypeError("Option onEvent is missing: give a function that takes the event.");
  if (!(typeof tolerance === "number" && tolerance > 0))
    throw new TypeError("Option tolerance must be above 0.");
}

/** Refuses a secret that is missing or empty. */
export function checkSecret(secret: unknown): void {
  if ([secret].flat().every((value) => typeof value !== "string" || value === ""))
    throw new TypeError(
      "Option secret is missing: give the endpoint's `whsec_…`, e.g. from the environment.",
    );
}

export async function receive<Request>(
  rawBody: string | Uint8Array,
  header: string | readonly string[] | null | undefined,
  request: Request,
  { secret, onEvent, tolerance, now }: ReceiverOptions<Request>,
): Promise<Received> {
  const verdict = await verifyWebhook({
    rawBody,
    header,
    secret,
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(now === undefined ? {} : { now: Math.floor(now() / 1000) }),
  });
  if (!verdict.ok) return { status: 400, text: verdict.reason };
  await onEvent(verdict.event, request);
  return { status: 204, text: "" };
}
