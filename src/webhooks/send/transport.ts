/**
 * Why a send failed. `local_shortage` says that this process had no file descriptor, port or memory
 * left and nothing was sent: the delivery is given back and no attempt is counted. The log of
 * attempts also has `worker_lost`, which no transport gives.
 */
export type SendErrorClass =
  | "http_status"
  | "timeout"
  | "dns_error"
  | "connect_refused"
  | "connection_reset"
  | "tls_error"
  | "ssrf_blocked"
  | "redirect"
  | "aborted"
  | "local_shortage";

/** The result of a post to a receiver. */
export interface Sent {
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: SendErrorClass | null;
  /** At most 1 KiB of the answer's body, as text. */
  readonly snippet: string | null;
  readonly duration_ms: number;
}

/** One message to a receiver, as a transport sends it. */
export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Limits the send, from before the name is resolved to the answer's headers. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Sends messages to receivers. It follows no redirect. */
export interface WebhookTransport {
  /** Tells, at registration, whether `send` would go to this address. */
  check(
    url: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  /**
   * Resolves the name, checks the addresses and pins the connection by itself. A
   * failed delivery is given as a value and never thrown.
   */
  send(post: WebhookPost): Promise<Sent>;
}
