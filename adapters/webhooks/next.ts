import {
  checkReceiver,
  maxBytes,
  ParsedBodyError,
  type ReceiverOptions,
  receive,
  signatureHeader,
  tooLarge,
} from "./receive.ts";

export type { WebhookEvent } from "../../src/webhooks/verify.ts";
export type { ReceiverOptions } from "./receive.ts";

/**
 * A receiver for Next.js, and wherever a Request is answered by a Response:
 * `export const POST = webhookReceiver({ secret, onEvent });` in `app/webhooks/route.ts`.
 */
export function webhookReceiver(
  options: ReceiverOptions<Request>,
): (request: Request) => Promise<Response> {
  checkReceiver(options);
  return async (request) => {
    if (request.bodyUsed)
      throw new ParsedBodyError(
        "Hand the request over unread: request.json() and request.text() may be called on " +
          "request.clone() only.",
      );
    const body = new Uint8Array(await request.arrayBuffer());
    const { status, text } =
      body.length > maxBytes
        ? tooLarge
        : await receive(body, request.headers.get(signatureHeader), request, options);
    return new Response(text === "" ? null : text, {
      status,
      headers: text === "" ? {} : { "content-type": "text/plain; charset=utf-8" },
    });
  };
}
