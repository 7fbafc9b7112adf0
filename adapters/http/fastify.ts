import type { IncomingMessage } from "node:http";
import type { Serve } from "../../src/http/wire.ts";
import { fromNode } from "./node.ts";

/** The few parts of Fastify 5 that are used. */
interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
  /** Judged by the app's `trustProxy`. */
  readonly ip: string;
}
interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body?: string | null): FastifyReply;
}
interface FastifyApp {
  addHook(name: "onRequest", hook: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void): unknown;
}

/**
 * A plugin for Fastify 5: `app.register(toFastify(storefront))`. It answers in an `onRequest` hook, before any body is parsed, so the app's parsers,
 * limits and routes stay as they are; what is not below `basePath` goes on to them. Hooks that were added before it run first.
 */
export function toFastify(storefront: { readonly serve: Serve }): (app: FastifyApp) => Promise<void> {
  const plugin = async (app: FastifyApp): Promise<void> => {
    app.addHook("onRequest", (request, reply, done) => {
      const wire = { ...fromNode(request.raw), target: request.originalUrl, ip: request.ip };
      storefront.serve(wire).then((answer) => {
        if (!answer) return done();
        reply.code(answer.status).headers(answer.headers).send(answer.body);
      }, done);
    });
  };
  // Not encapsulated: the full path decides, with a prefix as without.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
