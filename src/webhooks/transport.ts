/** Why a send failed; `worker_lost` is the engine's own (CONTRACT 7). */
export type SendErrorClass =
  | "http_status"
  | "timeout"
  | "dns_error"
  | "connect_refused"
  | "connection_reset"
  | "tls_error"
  | "ssrf_blocked"
  | "redirect"
  | "aborted";

export interface Sent {
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: SendErrorClass | null;
  /** At most 1 KiB of the answer's body as text. */
  readonly snippet: string | null;
  readonly duration_ms: number;
}

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** From before the name is resolved to the answer's headers. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface WebhookTransport {
  /** At registration: is this an address that `send` would go to? */
  check(
    url: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  /** Resolves, checks and pins by itself; a failed delivery is a value, never a throw. */
  send(post: WebhookPost): Promise<Sent>;
}
