import type { IncomingMessage, ServerResponse } from "node:http";
import { readStream } from "../http/body.ts";
import { respond } from "../http/respond.ts";
import {
  checkReceiver,
  maxBytes,
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

type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

/**
 * Makes a receiver for Express 4 and 5, and for node:http: `app.post("/webhooks",
 * webhookReceiver({ secret, onEvent }))`. It reads the body by itself. Mount it
 * before `express.json()`, or after `express.raw({ type: "application/json" })`.
 */
export function webhookReceiver<Request extends NodeRequest = NodeRequest>(
  options: ReceiverOptions<Request>,
) {
  checkReceiver(options);
  return (req: Request, res: ServerResponse, next?: (error?: unknown) => void): void => {
    void respond(res, handle(req, options).then(replyOf), next);
  };
}

async function handle<Request extends NodeRequest>(
  req: Request,
  options: ReceiverOptions<Request>,
): Promise<Received> {
  const body = await rawBodyOf(req);
  return body === null ? tooLarge : receive(body, req.headers[signatureHeader], req, options);
}

async function rawBodyOf(req: NodeRequest): Promise<string | Uint8Array | null> {
  for (const kept of [req.rawBody, req.body])
    if (kept instanceof Uint8Array || typeof kept === "string") return kept;
  if (req.readableDidRead || req.readableEnded)
    throw new ParsedBodyError(
      "Mount the receiver before express.json(), or keep the bytes: " +
        "express.json({ verify: (req, _res, bytes) => { req.rawBody = bytes; } }).",
    );
  return readStream(req, maxBytes);
}
