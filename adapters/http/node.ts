import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Serve, WireReply, WireRequest } from "../../src/http/wire.ts";
import { bodyOf } from "./body.ts";
import { serveTogether } from "./serve-together.ts";

/** The few parts of a Node request that are read; Express and Fastify add theirs to it. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly readableEnded?: boolean;
  readonly readableDidRead?: boolean;
  readonly readableLength?: number;
  /** Whole, as it came. */
  readonly complete?: boolean;
  read?(): Uint8Array | string | null;
  /** Express: the path before any mounting cut it. */
  readonly originalUrl?: string;
  /** Express: judged by its `trust proxy`. */
  readonly ip?: string | undefined;
  readonly body?: unknown;
  readonly rawBody?: unknown;
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
  const length = Buffer.byteLength(body);
  headers["content-length"] = String(length); // else Node sends it in chunks
  res.writeHead(status, headers);
  res.end(body, length === body.length ? "latin1" : "utf8"); // of plain ASCII the same bytes, written an eighth faster
}

/** A listener for `http.createServer`; `next` gets what is not ours, 404 without it. */
export function toNode(storefront: {
  readonly serve: Serve;
}): (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void {
  return (req, res, next) => {
    const pass = next ?? (() => res.writeHead(404).end());
    serveTogether(storefront.serve, fromNode(req)).then(
      (reply) => (reply ? send(res, reply) : pass()),
      next ?? (() => res.writeHead(500).end()),
    );
  };
}

/** Node keeps the first of several Authorization headers and drops the rest: whoever judges must see them all. */
function everyValue(req: NodeRequest, name: string): string | undefined {
  const raw = req.rawHeaders;
  let joined: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.length !== name.length || raw[at]?.toLowerCase() !== name) continue;
    joined = joined === undefined ? raw[at + 1] : `${joined}, ${raw[at + 1]}`;
  }
  return joined;
}
