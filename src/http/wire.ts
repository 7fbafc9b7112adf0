/** A request as every host can give it, without building a `Request`. */
export interface WireRequest {
  readonly method: string;
  /** The full public path and query, as the client sent them. */
  readonly target: string;
  /**
   * The client's address as the host trusts it. The API itself never reads
   * X-Forwarded-For.
   */
  readonly ip?: string | undefined;
  /** Gives the value of a header. It takes the name in lower case. */
  header(name: string): string | undefined;
  /**
   * The host's own request: Node's `IncomingMessage`, which is Express's request too, Fastify's
   * request, or a `Request`. Each but the `Request` has a `socket` with the client's certificate.
   * Absent from a request that no host has received.
   */
  readonly native?: unknown;
  /**
   * The agent that sells, such as `ucp:agent.example`, when an endpoint for agents makes the
   * request. No adapter takes it from a client. A new checkout session stores it.
   */
  readonly channel?: string;
  /**
   * Keeps a serverless host running until work that goes on after the answer has ended. Absent when
   * the process keeps running anyway.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /**
   * Gives the raw body, or what a parser of the host made of it. Gives null when it
   * has more than `limit` bytes. `watch` waits for each part in its place, after so
   * many bytes: when it throws, what came is dropped.
   */
  body(limit: number, watch?: WatchBody): Promise<Uint8Array | ParsedBody | null>;
}

type WatchBody = <Part>(part: Promise<Part>, bytes: number) => Promise<Part>;

/** A body that the host has read already, so that its bytes are gone. */
export interface ParsedBody {
  /** A parser of the host made this of it. It is undefined where that is not known. */
  readonly parsed: unknown;
}

/**
 * The body of an answer. A stream is asked for its next part when the client has
 * taken the part before. `return()` ends it when the client breaks off. A stream is
 * never begun for HEAD, 204 and 304. When it fails, the connection is broken off,
 * so that half of a body never looks like a whole one.
 */
export type WireBody = string | Uint8Array | AsyncIterable<Uint8Array> | null;

/** An answer as a host's adapter writes it. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireBody;
}

export const isStream = (body: WireBody): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && !(body instanceof Uint8Array);

/** Tells whether an answer never has a body (RFC 9110, 6.4.1). */
export const hasNoBody = (method: string | undefined, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 304;

/**
 * Answers a request. Gives null when its path is not below `basePath`, so that the
 * host goes on.
 */
export type Serve = (request: WireRequest) => Promise<WireReply | null>;

/**
 * Splits a target into its path and its query. A client may send the absolute form
 * `http://host/path`, as it does to a proxy (RFC 9112 3.2.2). Its host is ignored.
 * Any other form has the empty path.
 */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith("/") ? target : withoutHost(target);
  const mark = local.indexOf("?");
  return mark < 0
    ? { path: local, query: "" }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/**
 * Removes the host, which ends at the first `/`, `?` or `#`. Text after a `?` is no
 * path.
 */
function withoutHost(target: string): string {
  const host = /^https?:\/\/[^/?#]+/i.exec(target)?.[0];
  return host === undefined ? "" : target.slice(host.length);
}

/**
 * Gives the target of a URL. It begins at the first slash after `http://` or
 * `https://`.
 */
const targetOf = (url: string): string => url.slice(url.indexOf("/", "https://".length));

/** The facts about the client and the host that the Request does not hold. */
export interface RequestClient {
  /** The client's address, from a source that the host trusts. */
  readonly ip?: string;
  /** The same as `WireRequest.waitUntil`. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

export const fromWeb = (request: Request, client: RequestClient = {}): WireRequest => ({
  method: request.method,
  target: targetOf(request.url),
  ip: client.ip,
  ...(client.waitUntil && { waitUntil: client.waitUntil }),
  header: (name) => request.headers.get(name) ?? undefined,
  native: request,
  body: async (limit, watch) =>
    request.bodyUsed || request.body?.locked
      ? { parsed: undefined }
      : limitedBytes(request.body, limit, watch),
});

/** Makes the Response to a request of this method. */
export function toWeb({ status, headers, body }: WireReply, method: string): Response {
  const init = { status, headers };
  if (isStream(body))
    return new Response(hasNoBody(method, status) ? null : readableOf(body), init);

  // The types of the DOM refuse bytes that threads could share. No reply has such bytes.
  return new Response(body as BodyInit | null, init);
}

/** Makes a stream that asks for nothing before the host reads, and for one part at a time. */
function readableOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined;

  return new ReadableStream(
    {
      async pull(controller) {
        iterator ??= body[Symbol.asyncIterator]();
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

async function limitedBytes(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  watch?: WatchBody,
): Promise<Uint8Array | null> {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  return readBytes(() => reader.read(), limit, watch);
}

interface StreamChunk {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** The number of bytes that are read and thrown away of a body that is too large. */
const maxDiscarded = 16 * 1_048_576;

/**
 * Reads a stream. Gives null when it holds more than `limit` bytes. The rest is
 * then read on and thrown away, because a client that sends its whole body before
 * it reads would otherwise wait for ever. The stream is neither destroyed nor
 * canceled, because Next.js never ends a stream that was canceled.
 */
export async function readBytes(
  next: () => Promise<StreamChunk>,
  limit: number,
  watch: WatchBody = (part) => part,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await watch(next(), length);
      if (done) return joinBytes(chunks, length);

      const bytes = value instanceof Uint8Array ? value : encoder.encode(String(value));
      length += bytes.length;
      if (length > limit) break;
      chunks.push(bytes);
    }
  } catch (error) {
    void discard(next, maxDiscarded);
    throw error;
  }
  void discard(next, maxDiscarded);
  return null;
}

/**
 * Reads on and stops after `most` bytes: a client that sends more than that does
 * not do so by mistake.
 */
async function discard(next: () => Promise<StreamChunk>, most: number): Promise<void> {
  let rest = most;
  try {
    while (rest > 0) {
      const { done, value } = await next();
      if (done) return;
      rest -= value instanceof Uint8Array ? value.length : 1;
    }
  } catch {
    // The client has broken off: there is nothing left to read.
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
