import type { IncomingMessage, ServerResponse } from "node:http";
import type { Serve, WireRequest } from "#core/http/wire.ts";
import { bodyOf } from "./body.ts";
import { requireMountable } from "./mountable.ts";
import type { NodeRequest } from "./node-request.ts";
import { respond } from "./respond.ts";
import { serveBatched } from "./serve-batched.ts";

export type {
  ParsedBody,
  RequestClient,
  Serve,
  WireBody,
  WireReply,
  WireRequest,
} from "#core/http/wire.ts";
export type { NodeRequest } from "./node-request.ts";
export { send } from "./respond.ts";

/**
 * Makes a listener for `http.createServer`. It calls `next` for a path that is not
 * below `basePath`; without `next` the answer is 404.
 */
export function toNode(storefront: {
  readonly serve: Serve;
}): (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void {
  requireMountable(storefront, "serve", "toNode");

  return (req, res, next) => {
    void respond(res, serveBatched(storefront.serve, fromNode(req)), next);
  };
}

/** Turns a request of Node into the request that `storefront.serve` takes. */
export function fromNode(req: NodeRequest, ip = req.ip ?? req.socket.remoteAddress): WireRequest {
  return {
    method: req.method ?? "GET",
    target: req.originalUrl ?? req.url ?? "/",
    ip,
    native: req,
    header(name) {
      const value = name === "authorization" ? everyValue(req, name) : req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: (limit, watch) => bodyOf(req, limit, watch),
  };
}

/**
 * Gives all values of a header. Node keeps the first of several Authorization
 * headers and drops the rest, but all must be judged.
 */
function everyValue({ rawHeaders }: NodeRequest, name: string): string | undefined {
  let joined: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    // The length is compared first because it is cheaper than the lower-case copy.
    if (header?.length !== name.length || header.toLowerCase() !== name) continue;

    const value = rawHeaders[index + 1];
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}
