import type { IncomingMessage, ServerResponse } from "node:http";
import type { Serve, WireReply, WireRequest } from "../../src/http/wire.ts";
import { bodyOf } from "./body.ts";
import type { NodeRequest } from "./node-request.ts";
import { serveBatched } from "./serve-batched.ts";

export type { NodeRequest } from "./node-request.ts";

/**
 * A listener for `http.createServer`. `next` is called for a path that is not below `basePath`;
 * without it the answer is 404.
 */
export function toNode(storefront: {
  readonly serve: Serve;
}): (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void {
  return (req, res, next) => {
    const pass = next ?? (() => res.writeHead(404).end());
    serveBatched(storefront.serve, fromNode(req)).then(
      (reply) => (reply ? send(res, reply) : pass()),
      next ?? (() => res.writeHead(500).end()),
    );
  };
}

export function fromNode(req: NodeRequest, ip = req.ip ?? req.socket.remoteAddress): WireRequest {
  return {
    method: req.method ?? "GET",
    target: req.originalUrl ?? req.url ?? "/",
    ip,
    header(name) {
      const value = name === "authorization" ? everyValue(req, name) : req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: (limit) => bodyOf(req, limit),
  };
}

export function send(res: ServerResponse, reply: WireReply): void {
  const { status, headers, body } = reply;
  if (body === null) return void res.writeHead(status, headers).end();

  // Without a length Node would send the body in chunks.
  const length = Buffer.byteLength(body);
  headers["content-length"] = String(length);
  res.writeHead(status, headers);

  // Text of ASCII alone has the same bytes in latin1, which Node writes an eighth faster.
  const ascii = length === body.length;
  res.end(body, ascii ? "latin1" : "utf8");
}

/**
 * Node keeps the first of several Authorization headers and drops the rest, but all must be judged.
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
