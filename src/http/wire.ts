/** A request as plain data: what every host can give without building a `Request`. */
export interface WireRequest {
  readonly method: string;
  /** Full public path and query, as the client sent it. */
  readonly target: string;
  /** The client's address as the host trusts it; the core never reads X-Forwarded-For. */
  readonly ip?: string | undefined;
  header(name: string): string | undefined;
  /** The raw body, or what a parser in front made of it; null when it is larger than `limit` bytes. */
  body(limit: number): Promise<Uint8Array | ParsedBody | null>;
}

/** A body that a parser of the host has read before us. */
export interface ParsedBody {
  readonly parsed: unknown;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** Null: the path is not ours, the host goes on. */
export type Serve = (request: WireRequest) => Promise<WireReply | null>;

export const fromWeb = (request: Request, ip?: string): WireRequest => ({
  method: request.method,
  target: request.url.slice(request.url.indexOf("/", 8)),
  ip,
  header: (name) => request.headers.get(name) ?? undefined,
  body: (limit) => limitedBytes(request.body, limit),
});

export const toWeb = (reply: WireReply): Response =>
  new Response(reply.body, { status: reply.status, headers: reply.headers });

async function limitedBytes(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | null> {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  return readBytes(() => reader.read(), limit);
}

interface Part {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/**
 * Null when there is more than `limit`. The stream is then neither destroyed nor canceled, for Next.js never ends the latter, but read on
 * unseen: a client that sends its whole body before it reads would wait for ever.
 */
export async function readBytes(
  next: () => Promise<Part>,
  limit: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await next(); !part.done; part = await next()) {
    const bytes =
      part.value instanceof Uint8Array ? part.value : encoder.encode(String(part.value));
    length += bytes.length;
    if (length > limit) {
      void drop(next, 256 * limit);
      return null;
    }
    chunks.push(bytes);
  }
  return joinBytes(chunks, length);
}

/** Bounded: whoever sends more than that is no client in error. */
async function drop(next: () => Promise<Part>, most: number): Promise<void> {
  try {
    for (let rest = most; rest > 0; ) {
      const { done, value } = await next();
      if (done) return;
      rest -= value instanceof Uint8Array ? value.length : 1;
    }
  } catch {
    // The client has gone.
  }
}

const encoder = new TextEncoder();

function joinBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
