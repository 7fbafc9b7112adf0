import { fromWeb } from "#core/http/wire.ts";
import {
  checkHandling,
  checkSecret,
  maxBytes,
  optionNames,
  ParsedBodyError,
  type Received,
  type ReceiverOptions,
  receive,
  replyOf,
  signatureHeader,
  tooLarge,
} from "./receive.ts";

export type { WebhookEvent } from "#core/webhooks/verify.ts";
export type { ReceiverOptions } from "./receive.ts";

type Secret = ReceiverOptions<Request>["secret"];

/** The options of a receiver in a route of Next.js. */
export interface RouteReceiverOptions extends Omit<ReceiverOptions<Request>, "secret"> {
  /**
   * The endpoint's secret, `whsec_` included, or a list of secrets during a
   * rotation. It may be a function, which is called at each request, because
   * `next build` imports every route and has no secrets.
   */
  readonly secret: Secret | (() => Secret | undefined);
  /** Gets the error behind an answer of 500. Without it `console.error` gets it. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Makes a receiver for Next.js, and wherever a Request is answered by a Response:
 * `export const POST = webhookReceiver({ secret: () => process.env.WEBHOOK_SECRET,
 * onEvent });` in `app/webhooks/route.ts`.
 */
export function webhookReceiver(
  options: RouteReceiverOptions,
): (request: Request) => Promise<Response> {
  const { onError = reportToConsole } = options;
  checkHandling(options, [...optionNames, "onError"]);
  if (typeof options.secret !== "function") checkSecret(options.secret);

  return async (request) => {
    try {
      const { status, headers, body } = replyOf(await handle(request, withSecret(options)));
      return new Response(body, { status, headers });
    } catch (error) {
      onError(error);
      return new Response(null, { status: 500 });
    }
  };
}

/** Gives the options with the secret of this moment. Throws when it is missing. */
function withSecret(options: RouteReceiverOptions): ReceiverOptions<Request> {
  const { secret: given } = options;
  const secret = typeof given === "function" ? (given() ?? "") : given;
  checkSecret(secret);
  return { ...options, secret };
}

async function handle(request: Request, options: ReceiverOptions<Request>): Promise<Received> {
  if (request.bodyUsed)
    throw new ParsedBodyError(
      "Hand the request over unread: request.json() and request.text() may be called on " +
        "request.clone() only.",
    );
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge;

  const body = await fromWeb(request).body(maxBytes);
  if (!(body instanceof Uint8Array)) return tooLarge;
  return receive(body, request.headers.get(signatureHeader), request, options);
}

const reportToConsole = (error: unknown): void =>
  console.error("vitrine: a webhook was not taken, so it will be sent again:", error);
