import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { type ParsedBody, readBytes } from "../../src/http/wire.ts";
import type { NodeRequest } from "./node.ts";

/** A body parser mounted before us has drained the stream: the raw bytes if it kept them, else the unread stream, else its result. */
export async function bodyOf(
  req: NodeRequest,
  limit: number,
): Promise<Uint8Array | ParsedBody | null> {
  if (req.rawBody instanceof Uint8Array) return bounded(req.rawBody, limit);
  if (!req.readableDidRead && !req.readableEnded) {
    const { complete, readableLength = 0 } = req;
    // A small body is there as a whole by now: to wait for its parts costs more than to judge it.
    if (complete && readableLength <= limit && req.read) return bytesOf(req.read() ?? "");
    return readStream(req, limit);
  }
  if (req.body instanceof Uint8Array) return bounded(req.body, limit);
  if (typeof req.body === "string") return bounded(bytesOf(req.body), limit);
  return { parsed: req.body };
}

const encoder = new TextEncoder();
/** A text where the host has set an encoding. */
const bytesOf = (given: Uint8Array | string): Uint8Array =>
  typeof given === "string" ? encoder.encode(given) : given;
const bounded = (bytes: Uint8Array, limit: number): Uint8Array | null =>
  bytes.length > limit ? null : bytes;

/** A hook of the host's has read the stream, or still does. */
export async function keptBody(
  request: { readonly raw: IncomingMessage; readonly rawBody?: unknown },
  limit: number,
): Promise<Uint8Array | ParsedBody | null> {
  if (!request.raw.readableEnded) await finished(request.raw, { writable: false });
  const { rawBody } = request;
  if (!(rawBody instanceof Uint8Array) && typeof rawBody !== "string") return { parsed: undefined };
  return bounded(bytesOf(rawBody), limit);
}

/** Not by `for await`: leaving it destroys the stream. */
export function readStream(
  stream: AsyncIterable<unknown>,
  limit: number,
): Promise<Uint8Array | null> {
  const parts = stream[Symbol.asyncIterator]();
  return readBytes(() => parts.next(), limit);
}
