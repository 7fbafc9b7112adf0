import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { WebhookPost } from "#core/webhooks/send/transport.ts";

export interface RequestTarget {
  readonly url: URL;
  readonly keepAlive: boolean;
  createConnection(): Socket;
}

const maxHeaderBytes = 16_384;

/** The headers that only the transport writes. */
const ownHeaders = new Set([
  "host",
  "accept-encoding",
  "content-length",
  "connection",
  "transfer-encoding",
]);

export function openRequest(
  { headers, body }: WebhookPost,
  { url, keepAlive, createConnection }: RequestTarget,
): ClientRequest {
  // Node checks and writes a list at once; an object it would first copy header by header.
  const list: string[] = [];
  for (const [name, value] of Object.entries(headers))
    if (!ownHeaders.has(name.toLowerCase())) list.push(name, value);
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  list.push("host", url.host);
  list.push("accept-encoding", "identity");
  list.push("content-length", String(length));
  list.push("connection", keepAlive ? "keep-alive" : "close");

  const options: RequestOptions = {
    method: "POST",
    path: url.pathname + url.search,
    headers: list,
    createConnection,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
  };
  const request = url.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
  request.shouldKeepAlive = keepAlive; // Without an agent Node assumes `false`.
  return request;
}

export function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) return rawHeaders[at + 1];
  return undefined;
}
