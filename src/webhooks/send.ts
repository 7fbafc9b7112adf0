import type { KeyRing } from "../domain/key-ring.ts";
import { timeBox } from "../domain/time-box.ts";
import type { EndpointSecret } from "../rules/webhook-records.ts";
import { signWebhook } from "./signature.ts";
import type { Sent, WebhookTransport } from "./transport.ts";

export interface Outgoing {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secrets: readonly EndpointSecret[];
  readonly event_id: string;
  readonly event_type: string;
  readonly body: string;
}

const maxKept = 10_000;
/** A drain keeps a second after `timeoutMs` for writing down the outcome. */
const graceMs = 500;

/** Signs and sends. Every attempt is signed anew, with the secrets then live and `t` = its start. */
export function createSend(ctx: {
  readonly transport: WebhookTransport;
  readonly keyRing: KeyRing;
}) {
  // Unsealing costs more than signing: an opened secret is kept as long as its sender.
  const opened = new Map<string, Promise<string>>();
  const open = (sealed: string, endpoint_id: string): Promise<string> => {
    let secret = opened.get(sealed);
    if (!secret) {
      secret = ctx.keyRing.unseal(sealed, endpoint_id);
      if (opened.size >= maxKept) opened.clear();
      opened.set(sealed, secret);
    }
    return secret;
  };

  return async (
    message: Outgoing,
    attempt: number,
    started_at: number,
    timeoutMs: number,
  ): Promise<Sent> => {
    const live = message.secrets.filter(
      ({ expires_at }) => expires_at === null || expires_at > started_at,
    );
    const secret = await Promise.all(live.map(({ sealed }) => open(sealed, message.endpoint_id)));
    const signature = await signWebhook({
      rawBody: message.body,
      secret,
      timestamp: Math.floor(started_at / 1_000),
    });
    // The host's signal is not handed on: an abort lets sends end, so that no attempt is used up without an outcome.
    const sending = ctx.transport.send({
      url: message.url,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "vitrine-webhooks/1",
        "X-Service-Signature": signature,
        "X-Service-Event-Id": message.event_id,
        "X-Service-Event-Type": message.event_type,
        "X-Service-Attempt": String(attempt),
      },
      body: message.body,
      timeoutMs,
    });
    return timeBox(sending, timeoutMs + graceMs, () => timedOut(timeoutMs));
  };
}

/** A host's transport that breaks its promise is a timeout too: the drain would wait for ever. */
const timedOut = (duration_ms: number): Sent => ({
  ok: false,
  status: null,
  error: "timeout",
  snippet: null,
  duration_ms,
});
