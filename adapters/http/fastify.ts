import type { IncomingMessage } from "node:http";
import type { Serve } from "../../src/http/wire.ts";
import { keptBody } from "./body.ts";
import { fromNode } from "./node.ts";
import { serveTogether } from "./serve-together.ts";

/** The few parts of Fastify 5 that are used. */
export interface FastifyScope {
  readonly prefix: string;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  setErrorHandler(
    handler: (
      error: { readonly code?: string },
      request: FastifyRequest,
      reply: FastifyReply,
    ) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown;
}
export interface FastifyRequest {
  readonly raw: IncomingMessage;
  /** Judged by the host's `trustProxy`. */
  readonly ip: string;
  /** Set by hooks that keep the bytes, such as fastify-raw-body. */
  readonly rawBody?: unknown;
}
export interface FastifyReply {
  code(status: number): FastifyReply;
  headers(values: Record<string, string>): FastifyReply;
  send(payload?: unknown): unknown;
  callNotFound(): unknown;
}

// Fastify judges the media type before any parser or handler runs: a request without a key would get 415, not 401.
const refusedUnread: ReadonlySet<string> = new Set([
  "FST_ERR_CTP_INVALID_MEDIA_TYPE",
  "FST_ERR_ROUTE_MISSING_CONTENT_TYPE",
]);

/**
 * A plugin for Fastify 5: `app.register(toFastify(storefront), { prefix: "/v1" })`. Parsers and handlers are set in its own scope only;
 * the host's hooks run around it, and `request.ip` is the client's address, so the host's `trustProxy` rules.
 */
export function toFastify(storefront: { readonly serve: Serve }) {
  const answer = (request: FastifyRequest, reply: FastifyReply, otherwise: () => unknown): void => {
    const { method, target, ip, header, body } = fromNode(request.raw, request.ip);
    const read = (limit: number) =>
      request.raw.readableDidRead ? keptBody(request, limit) : body(limit);
    serveTogether(storefront.serve, { method, target, ip, header, body: read }).then(
      (made) =>
        made
          ? reply
              .code(made.status)
              .headers(made.headers)
              .send(made.body ?? undefined)
          : otherwise(),
      (error: unknown) => reply.send(error),
    );
  };
  return async (scope: FastifyScope): Promise<void> => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null)); // unread: 401 and 429 come before the body
    scope.setErrorHandler((error, request, reply) => {
      if (!refusedUnread.has(error.code ?? "")) throw error; // up to the host's own handler
      answer(request, reply, () => reply.send(error));
    });
    for (const path of scope.prefix === "" ? ["/*"] : ["", "/*"])
      scope.all(path, (request, reply) => answer(request, reply, () => reply.callNotFound()));
  };
}
