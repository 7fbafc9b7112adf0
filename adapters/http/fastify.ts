import { type IncomingMessage, type ServerResponse, validateHeaderValue } from "node:http";
import { Readable } from "node:stream";
import { servedPaths } from "#core/http/mount-paths.ts";
import {
  hasNoBody,
  isStream,
  type Serve,
  type WireReply,
  type WireRequest,
} from "#core/http/wire.ts";
import { asError } from "./as-error.ts";
import { keptBody } from "./body.ts";
import { misplaced } from "./mount-place.ts";
import { requireMountable } from "./mountable.ts";
import { fromNode } from "./node.ts";
import { serveBatched } from "./serve-batched.ts";
import { breakOff } from "./stream-body.ts";

/** The parts of Fastify 5 that the adapter uses. */
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

/** The parts of a Fastify request that the plugin reads. */
export interface FastifyRequest {
  readonly raw: IncomingMessage;
  /** The host's `trustProxy` decides which address is the client's. */
  readonly ip: string;
  /** A hook that keeps the bytes, such as fastify-raw-body, sets it. */
  readonly rawBody?: unknown;
}

/** The parts of a Fastify reply that the plugin calls. */
export interface FastifyReply {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  code(status: number): FastifyReply;
  headers(values: Record<string, string>): FastifyReply;
  send(payload?: unknown): unknown;
  callNotFound(): unknown;
}

/**
 * Fastify checks the media type before any parser or handler runs. Its refusals are
 * given to the storefront all the same, or a request without a key would be
 * answered 415 in place of 401.
 */
const mediaTypeRefusals: ReadonlySet<string> = new Set([
  "FST_ERR_CTP_INVALID_MEDIA_TYPE",
  "FST_ERR_ROUTE_MISSING_CONTENT_TYPE",
]);

/**
 * Answers a request that Fastify gives to none of its routes. It calls `pass` for a
 * request that is not below `basePath`. It serves `frameworkErrors` and
 * `setNotFoundHandler`: see docs/embedding.md.
 */
export function fastifyAnswer(storefront: { readonly serve: Serve }) {
  requireMountable(storefront, "serve", "fastifyAnswer");

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    pass: (reply: FastifyReply) => unknown,
  ): void => {
    void answerRequest(storefront.serve, request, reply, pass);
  };
}

async function answerRequest(
  serve: Serve,
  request: FastifyRequest,
  reply: FastifyReply,
  pass: (reply: FastifyReply) => unknown,
): Promise<void> {
  try {
    const answered = await serveBatched(serve, fromFastify(request));
    if (hasAnswered(reply)) return;
    if (answered) send(reply, answered);
    else pass(reply);
  } catch (error) {
    if (!hasAnswered(reply)) reply.send(asError(error));
  }
}

/**
 * Makes a plugin for Fastify 5: `app.register(toFastify(storefront), { prefix:
 * "/v1" })`. It sets parsers and handlers in its own scope only, and the host's
 * hooks run around it. The client's address is `request.ip`, so the host's
 * `trustProxy` decides. A prefix under which the storefront answers nothing is refused
 * when Fastify starts.
 */
export function toFastify(storefront: { readonly serve: Serve }) {
  requireMountable(storefront, "serve", "toFastify");
  const answer = fastifyAnswer(storefront);

  return async (scope: FastifyScope): Promise<void> => {
    // The body stays unread until the storefront asks for it: 401 and 429 come before the body.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));

    scope.setErrorHandler((error, request, reply) => {
      // Any other error goes up to the host's own handler.
      if (!mediaTypeRefusals.has(error.code ?? "")) throw error;
      answer(request, reply, () => reply.send(error));
    });

    for (const path of routesOf(storefront.serve, scope.prefix))
      scope.all(path, (request, reply) => answer(request, reply, () => reply.callNotFound()));
  };
}

/**
 * Lists the routes of a plugin below its prefix. Without a prefix they are the paths
 * of the part itself, so that several plugins stand side by side.
 */
function routesOf(serve: Serve, prefix: string): readonly string[] {
  const wrong = misplaced(serve, prefix);
  if (wrong) throw new Error(`toFastify: ${wrong}`);
  if (prefix !== "") return ["", "/*"];

  const paths = servedPaths(serve);
  const areRoutes = paths.length > 0 && paths.every((path) => path !== "" && !/[:*]/.test(path));
  return areRoutes ? paths.flatMap((path) => [path, `${path}/*`]) : ["/*"];
}

function fromFastify(request: FastifyRequest): WireRequest {
  const wire = fromNode(request.raw, request.ip);
  const { body } = wire;
  return {
    ...wire,
    // Plugins put the host's sessions on Fastify's request; its `socket` is Node's own.
    native: request,
    body: (limit, watch) =>
      request.raw.readableDidRead ? keptBody(request, limit) : body(limit, watch),
  };
}

/**
 * Writes the reply. A header that cannot be written throws here, because nobody
 * catches it where Fastify writes.
 */
function send(reply: FastifyReply, { status, headers, body }: WireReply): void {
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
  reply.code(status).headers(headers);

  if (isStream(body)) {
    reply.send(hasNoBody(reply.raw.req.method, status) ? undefined : streamOf(reply, body));
    return;
  }
  // Fastify serializes bytes as JSON unless they are a Buffer.
  reply.send(
    body instanceof Uint8Array
      ? Buffer.from(body.buffer, body.byteOffset, body.length)
      : (body ?? undefined),
  );
}

/** Makes a stream of Node from the body. Hooks of the host see it, and may compress it. */
function streamOf({ raw }: FastifyReply, body: AsyncIterable<Uint8Array>): Readable {
  const { socket } = raw.req;
  const stream = Readable.from(body);
  const end = (): void => void stream.destroy();

  // An answer that waits behind another one on its connection gets no event when this closes.
  socket.once("close", end);
  stream.once("close", () => socket.off("close", end));
  // If the stream fails before its first part, the host's error handler answers.
  stream.once("error", (error) => {
    if (raw.headersSent) breakOff(raw, error);
  });
  return stream;
}

/** Tells whether a deadline of the host's own has answered before the storage did. */
const hasAnswered = ({ raw, sent }: FastifyReply): boolean => sent || raw.headersSent;
