import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { type ParsedBody, readBytes, type WireRequest } from "#core/http/wire.ts";
import { endOfTurn } from "../end-of-turn.ts";
import type { NodeRequest } from "./node-request.ts";

type WatchBody = Parameters<WireRequest["body"]>[1];

/**
 * Reads the body of a request whose stream a body parser may have read already. It
 * gives the raw bytes where the parser kept them, else the stream where it is
 * unread, else what the parser made of it. It gives null when the body has more
 * than `limit` bytes.
 */
export async function bodyOf(
  req: NodeRequest,
  limit: number,
  watch?: WatchBody,
): Promise<Uint8Array | ParsedBody | null> {
  if (isRaw(req.rawBody)) return bounded(bytesOf(req.rawBody), limit);

  if (!req.readableDidRead && !req.readableEnded) {
    const { complete, readableLength = 0 } = req;
    // A small body has been received whole by now: one read is cheaper than reading it as a stream.
    if (complete && readableLength <= limit && req.read) return bytesOf(req.read() ?? "");
    const bytes = await readStream(req, limit, watch);
    // Bodies that end in one turn are worked off like requests that arrive in one.
    await endOfTurn();
    return bytes;
  }

  if (isRaw(req.body)) return bounded(bytesOf(req.body), limit);
  return sizeOf(req) > limit ? null : { parsed: req.body };
}

/** Gives the size of a body whose bytes are gone: what the client said, else that of its JSON. */
const sizeOf = ({ headers, body }: NodeRequest): number =>
  headers["content-length"] === undefined
    ? Buffer.byteLength(JSON.stringify(body) ?? "")
    : Number(headers["content-length"]);

/** Reads the body that a hook of a Fastify host has kept, once its stream has ended. */
export async function keptBody(
  request: { readonly raw: IncomingMessage; readonly rawBody?: unknown },
  limit: number,
): Promise<Uint8Array | ParsedBody | null> {
  if (!request.raw.readableEnded) {
    await finished(request.raw, { writable: false });
    await endOfTurn();
  }

  const { rawBody } = request;
  return isRaw(rawBody) ? bounded(bytesOf(rawBody), limit) : { parsed: undefined };
}

/** Reads a stream by its iterator: leaving a `for await` loop would destroy the stream. */
export function readStream(
  stream: AsyncIterable<unknown>,
  limit: number,
  watch?: WatchBody,
): Promise<Uint8Array | null> {
  const iterator = stream[Symbol.asyncIterator]();
  return readBytes(() => iterator.next(), limit, watch);
}

const encoder = new TextEncoder();

const isRaw = (body: unknown): body is Uint8Array | string =>
  body instanceof Uint8Array || typeof body === "string";

/** Makes bytes of text, because the stream gives text where the host has set an encoding. */
const bytesOf = (given: Uint8Array | string): Uint8Array =>
  typeof given === "string" ? encoder.encode(given) : given;

const bounded = (bytes: Uint8Array, limit: number): Uint8Array | null =>
  bytes.length > limit ? null : bytes;
