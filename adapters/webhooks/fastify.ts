import { asError } from "../http/as-error.ts";
import {
  checkReceiver,
  maxBytes,
  type ReceiverOptions,
  receive,
  signatureHeader,
} from "./receive.ts";

export type { WebhookEvent } from "#core/webhooks/verify.ts";
export type { ReceiverOptions } from "./receive.ts";

/** The receiver uses this part of a Fastify request. */
export interface FastifyRequestLike {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}
interface FastifyReplyLike {
  readonly raw: { readonly headersSent: boolean };
  code(status: number): FastifyReplyLike;
  type(type: string): FastifyReplyLike;
  send(payload?: unknown): unknown;
}
type ParserDone = (error: Error | null, body?: unknown) => void;
interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: never, body: Uint8Array, done: ParserDone) => void,
  ): unknown;
  post(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

/**
 * Makes a receiver for Fastify: `app.register(webhookReceiver({ secret, onEvent }),
 * { prefix: "/webhooks" })`. In its own scope the body stays the bytes that came,
 * and the parsers of the app are left as they are.
 */
export function webhookReceiver(options: ReceiverOptions<FastifyRequestLike>) {
  checkReceiver(options);
  // The scope's type names only the methods that are called: Fastify's own types would make
  // Fastify a dependency.
  return async (given: unknown): Promise<void> => {
    const scope = given as FastifyScope;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: maxBytes },
      (_request, body, done) => done(null, body),
    );
    scope.post("/", async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const header = request.headers[signatureHeader];
      const { status, text } = await receive(body, header, request, options).catch(throwError);
      // The host has answered already: a deadline of its own may be faster than `onEvent`.
      if (reply.raw.headersSent) return undefined;
      return text === ""
        ? reply.code(status).send()
        : reply.code(status).type("text/plain; charset=utf-8").send(text);
    });
  };
}

/** Throws an Error, because Fastify would answer with the status of an object that is no Error. */
function throwError(thrown: unknown): never {
  throw asError(thrown);
}
