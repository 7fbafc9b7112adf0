import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { JudgedUrl } from "../../src/webhooks/address-rules.ts";
import type { SendErrorClass, Sent, WebhookPost } from "../../src/webhooks/transport.ts";
import { type Connection, isHandshaking, type Place, type Pool } from "./pool.ts";
import { type Answer, Failure } from "./resolve.ts";

/** A judged address, kept from send to send. */
export interface Target extends JudgedUrl {
  /** Where no name has to be resolved. */
  readonly fixed: Answer | null;
  /** The last one, for as long as its answer stands. */
  place: Place | null;
}

export interface PostContext {
  readonly pool: Pool;
  judge(url: string): Target | null;
  known(target: Target): Answer | undefined;
  find(target: Target, signal: AbortSignal): Promise<Answer>;
}

const snippetBytes = 1_024;
const maxBodyBytes = 65_536;
const bodyMs = 1_000;
const maxHeaderBytes = 16_384;

/** One attempt of CONTRACT 7. Every way it can end goes through `finish`, once; from then on nothing of it is open. */
export function createPost(
  ctx: PostContext,
): (post: WebhookPost, done: (sent: Sent) => void) => void {
  return (post, done) => {
    const started = performance.now();
    let finished = false;
    let looking: AbortController | undefined;
    let request: ClientRequest | undefined;
    let body: { end(): void } | undefined;

    const finish = (
      status: number | null,
      error: SendErrorClass | null,
      snippet: string | null,
    ): void => {
      if (finished) return;
      finished = true;
      clearTimeout(deadline);
      post.signal?.removeEventListener("abort", abort);
      if (status === null) {
        looking?.abort();
        request?.destroy();
      }
      done({
        ok: error === null,
        status,
        error,
        snippet,
        duration_ms: Math.round(performance.now() - started),
      });
    };
    const fail = (error: SendErrorClass): void => finish(null, error, null);
    // Once there are headers the outcome stands; only the reading of the body ends.
    const abort = (): void => (body ? body.end() : fail("aborted"));
    const deadline = setTimeout(() => (body ? body.end() : fail("timeout")), post.timeoutMs);

    const connect = (target: Target, answer: Answer, retry: boolean): void => {
      if (finished) return;
      let connection: Connection | undefined;
      const sent = open(target, post, !retry, () => {
        connection = ctx.pool.connect(placeOf(target, answer), retry);
        return connection.socket;
      });
      request = sent;
      sent.once("response", (response) => {
        if (connection) connection.announced = headerOf(response, "keep-alive");
        const status = response.statusCode ?? 0;
        body = readBody(response, (snippet) => finish(status, classOfStatus(status), snippet));
      });
      sent.on("error", (error) => {
        if (body || finished) return;
        // The receiver had closed the kept connection meanwhile: it has seen nothing of this post.
        if (connection?.reused && !retry && isBroken(error)) connectOrFail(target, answer, true);
        else
          fail(
            error instanceof Failure
              ? error.kind
              : isHandshaking(sent.socket)
                ? "tls_error"
                : classOf(error),
          );
      });
      // Node ends an answer of 101 without a response and without an error.
      sent.once("close", () => {
        if (request === sent && !body) fail("connection_reset");
      });
      sent.end(post.body);
    };
    const connectOrFail = (target: Target, answer: Answer, retry: boolean): void => {
      try {
        connect(target, answer, retry);
      } catch {
        fail("connection_reset"); // a header that cannot be sent
      }
    };

    if (post.signal?.aborted) return fail("aborted");
    post.signal?.addEventListener("abort", abort, { once: true });
    const target = ctx.judge(post.url);
    if (!target) return fail("ssrf_blocked");
    const answer = ctx.known(target);
    if (answer) return connectOrFail(target, answer, false);
    looking = new AbortController();
    ctx.find(target, looking.signal).then(
      (found) => connectOrFail(target, found, false),
      (error: unknown) => fail(error instanceof Failure ? error.kind : "dns_error"),
    );
  };
}

function placeOf(target: Target, answer: Answer): Place {
  if (target.place?.answer !== answer) {
    const { url, host } = target;
    const secure = url.protocol === "https:";
    target.place = {
      secure,
      host,
      port: Number(url.port) || (secure ? 443 : 80),
      answer,
      pool: `${url.protocol}//${url.host} ${answer.set}`,
    };
  }
  return target.place as Place;
}

/** Written by the transport alone. */
const ownHeaders = new Set([
  "host",
  "accept-encoding",
  "content-length",
  "connection",
  "transfer-encoding",
]);

function open(
  { url }: Target,
  { headers, body }: WebhookPost,
  keep: boolean,
  createConnection: () => Socket,
): ClientRequest {
  // As a list they are checked and written at once; as an object Node would first copy them one by one.
  const list: string[] = [];
  for (const [name, value] of Object.entries(headers))
    if (!ownHeaders.has(name.toLowerCase())) list.push(name, value);
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  list.push(
    "host",
    url.host,
    "accept-encoding",
    "identity",
    "content-length",
    String(length),
    "connection",
    keep ? "keep-alive" : "close",
  );
  const options: RequestOptions = {
    method: "POST",
    path: url.pathname + url.search,
    headers: list,
    createConnection,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
  };
  const request = url.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
  request.shouldKeepAlive = keep; // without an agent Node assumes that nobody keeps the connection
  return request;
}

function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) return rawHeaders[at + 1];
  return undefined;
}

/** At most 64 KiB or 1 s of the body; one that ends in time leaves its connection to the next send, any other is cut off. */
function readBody(
  response: IncomingMessage,
  done: (snippet: string | null) => void,
): { end(): void } {
  let kept: Buffer | undefined;
  let length = 0;
  const end = (): void => {
    clearTimeout(timer);
    if (!response.complete) response.destroy();
    done(kept ? textOf(kept) : null);
  };
  const timer = setTimeout(end, bodyMs);
  response.on("data", (chunk: Buffer) => {
    if (length < snippetBytes)
      kept = kept
        ? Buffer.concat([kept, chunk.subarray(0, snippetBytes - length)])
        : chunk.subarray(0, snippetBytes);
    length += chunk.length;
    if (length > maxBodyBytes) end();
  });
  response.once("end", end);
  response.on("error", end);
  response.once("close", end);
  return { end };
}

// A character cut in two is dropped; NUL is no text for a database.
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll("\u0000", "\ufffd");

function classOfStatus(status: number): SendErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "http_status";
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
const isBroken = (error: unknown): boolean =>
  codeOf(error) === "ECONNRESET" || codeOf(error) === "EPIPE";

function classOf(error: unknown): SendErrorClass {
  const code = codeOf(error);
  if (
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EHOSTDOWN|ENETDOWN)$/.test(
      code,
    )
  )
    return "connect_refused";
  if (code === "ETIMEDOUT") return "timeout";
  return /TLS|SSL|CERT|EPROTO/.test(code) ? "tls_error" : "connection_reset";
}
