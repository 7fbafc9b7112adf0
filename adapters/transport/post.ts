import type { ClientRequest } from "node:http";
import type { JudgedUrl } from "#core/webhooks/send/address-rules.ts";
import type { SendErrorClass, Sent, WebhookPost } from "#core/webhooks/send/transport.ts";
import { createAnswerLimit } from "./answer-limit.ts";
import { isHandshaking, type Route } from "./connect.ts";
import type { Connection, ConnectionPool } from "./pool.ts";
import { readBody } from "./read-body.ts";
import { headerOf, openRequest } from "./request.ts";
import { type CheckedAddresses, SendFailure } from "./resolve.ts";
import { classOfError, classOfStatus, isBroken } from "./send-errors.ts";

/** A judged URL that is kept from send to send. */
export interface Destination extends JudgedUrl {
  /**
   * The addresses of a host that is an IP address. Null when the host's name has to be resolved.
   */
  readonly fixed: CheckedAddresses | null;
  /** The route of the last send, and is used again while the addresses stay the same. */
  route: Route | null;
}

export interface PostContext {
  readonly pool: ConnectionPool;
  judge(url: string): Destination | null;
  known(destination: Destination): CheckedAddresses | undefined;
  find(destination: Destination, signal: AbortSignal): Promise<CheckedAddresses>;
}

type Done = (sent: Sent) => void;

export const createPost =
  (ctx: PostContext) =>
  (post: WebhookPost, done: Done): void =>
    new Attempt(ctx, post, done).start();

/**
 * Makes one send. Every way it can end goes through `#finish`, once; afterwards
 * nothing is open.
 */
class Attempt {
  readonly #ctx: PostContext;
  readonly #post: WebhookPost;
  readonly #done: Done;
  readonly #started = performance.now();
  readonly #deadline: ReturnType<typeof setTimeout>;
  #isFinished = false;
  #resolving: AbortController | undefined;
  #request: ClientRequest | undefined;
  #body: { end(): void } | undefined;

  constructor(ctx: PostContext, post: WebhookPost, done: Done) {
    this.#ctx = ctx;
    this.#post = post;
    this.#done = done;
    this.#deadline = setTimeout(() => this.#stop("timeout"), post.timeoutMs);
  }

  start(): void {
    const { signal } = this.#post;
    if (signal?.aborted) this.#fail("aborted");
    else {
      signal?.addEventListener("abort", this.#abort, { once: true });
      this.#resolve();
    }
  }

  #resolve(): void {
    const destination = this.#ctx.judge(this.#post.url);
    const known = destination && this.#ctx.known(destination);
    if (!destination) this.#fail("ssrf_blocked");
    else if (known) this.#connect(destination, known);
    else {
      this.#resolving = new AbortController();
      this.#ctx.find(destination, this.#resolving.signal).then(
        (found) => this.#connect(destination, found),
        (error: unknown) => this.#fail(error instanceof SendFailure ? error.kind : "dns_error"),
      );
    }
  }

  readonly #abort = (): void => this.#stop("aborted");

  /**
   * Ends the send. Once the headers have come the outcome stands: only the reading
   * of the body ends.
   */
  #stop(error: SendErrorClass): void {
    if (this.#body) this.#body.end();
    else this.#fail(error);
  }

  #fail(error: SendErrorClass): void {
    this.#finish(null, error, null);
  }

  #finish(status: number | null, error: SendErrorClass | null, snippet: string | null): void {
    if (this.#isFinished) return;

    this.#isFinished = true;
    clearTimeout(this.#deadline);
    this.#post.signal?.removeEventListener("abort", this.#abort);
    if (status === null) {
      this.#resolving?.abort();
      this.#request?.destroy();
    }
    const duration_ms = Math.round(performance.now() - this.#started);
    this.#done({ ok: error === null, status, error, snippet, duration_ms });
  }

  #connect(destination: Destination, checked: CheckedAddresses, isRetry = false): void {
    if (this.#isFinished) return;

    try {
      this.#send(destination, checked, isRetry);
    } catch (error) {
      this.#fail(classOfError(error)); // Node refuses a header of the post.
    }
  }

  #send(destination: Destination, checked: CheckedAddresses, isRetry: boolean): void {
    const { pool } = this.#ctx;
    let connection: Connection | undefined;
    const limit = createAnswerLimit(() => this.#stop("connection_reset"));
    const request = openRequest(this.#post, {
      url: destination.url,
      keepAlive: !isRetry,
      createConnection: () => {
        const route = routeTo(destination, checked);
        connection = isRetry ? pool.connectFresh(route) : pool.connect(route);
        connection.onBytes = limit.received;
        return connection.socket;
      },
    });
    this.#request = request;

    request.once("response", (response) => {
      if (connection) connection.keepAliveHeader = headerOf(response, "keep-alive");
      const status = response.statusCode ?? 0;
      response.on("data", (part: Buffer) => limit.bodyReceived(part.length));
      this.#body = readBody(response, (snippet) =>
        this.#finish(status, classOfStatus(status), snippet),
      );
    });
    request.on("information", limit.interimAnswer);
    request.on("error", (reported) => {
      if (this.#body || this.#isFinished) return;

      // When a socket failed at once, the request knows only that the socket has ended.
      const error = connection?.error ?? reported;
      const isTls = !(error instanceof SendFailure) && isHandshaking(request.socket);
      // The receiver had closed the kept connection, so it has seen nothing of this post.
      if (connection?.reused && !isRetry && isBroken(error))
        this.#connect(destination, checked, true);
      else this.#fail(isTls ? "tls_error" : classOfError(error));
    });
    // Node ends an answer of 101 without a response and without an error.
    request.once("close", () => {
      if (this.#request === request && !this.#body) this.#fail("connection_reset");
    });
    request.end(this.#post.body);
  }
}

function routeTo(destination: Destination, checked: CheckedAddresses): Route {
  if (destination.route?.checked === checked) return destination.route;

  const { url, host } = destination;
  const secure = url.protocol === "https:";
  const route = {
    secure,
    host,
    port: Number(url.port) || (secure ? 443 : 80),
    checked,
    poolKey: `${url.protocol}//${url.host} ${checked.key}`,
  };
  destination.route = route;
  return route;
}
