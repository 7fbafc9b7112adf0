import type { ServerResponse } from "node:http";
import { hasNoBody, isStream, type WireReply } from "#core/http/wire.ts";
import { asError } from "./as-error.ts";

/**
 * Writes the reply once it is there. Without a reply the host goes on by `next`,
 * which is told of what failed as well; without `next` the answer is 404 or 500.
 */
export async function respond(
  res: ServerResponse,
  replying: Promise<WireReply | null>,
  next?: (error?: unknown) => void,
): Promise<void> {
  let reply: WireReply | null;
  try {
    reply = await replying;
    if (reply) send(res, reply);
  } catch (error) {
    return next ? next(asError(error)) : sendEmpty(res, 500);
  }
  if (reply) return;
  return next ? next() : sendEmpty(res, 404);
}

/**
 * Writes a reply. Nothing is written when the host has answered already: its own
 * deadline may be faster than the storage. The headers are copied, because several
 * replies may share them. A body that is a stream is written after this call returns.
 */
export function send(res: ServerResponse, { status, headers, body }: WireReply): void {
  if (hasAnswered(res)) return;
  if (body === null || (isStream(body) && hasNoBody(res.req.method, status)))
    return void writeHead(res, status, headers).end();
  if (isStream(body)) return void writeStream(writeHead(res, status, headers), body);

  // Without a length Node would send the body in chunks.
  const length = Buffer.byteLength(body);
  writeHead(res, status, { ...headers, "content-length": String(length) });

  if (typeof body !== "string") return void res.end(body);

  // Text of ASCII alone has the same bytes in latin1, which Node writes an eighth faster.
  const ascii = length === body.length;
  res.end(body, ascii ? "latin1" : "utf8");
}

/**
 * Writes a stream. Its code is loaded at the first stream, because most processes,
 * and all receivers, write none.
 */
async function writeStream(res: ServerResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    const { streamBody } = await import("./stream-body.ts");
    await streamBody(res, body);
  } catch (error) {
    // The file may be missing because a new version was deployed in its place.
    res.destroy(asError(error));
  }
}

/**
 * Writes status and headers. A header that cannot be written throws; the answer in
 * its place then has none of the others.
 */
function writeHead(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): ServerResponse {
  try {
    return res.writeHead(status, headers);
  } catch (error) {
    for (const name of Object.keys(headers)) res.removeHeader(name);
    throw error;
  }
}

const sendEmpty = (res: ServerResponse, status: number): void => {
  if (!hasAnswered(res)) res.writeHead(status).end();
};

const hasAnswered = (res: ServerResponse): boolean => res.headersSent || res.writableEnded;
