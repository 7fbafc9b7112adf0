import { timeBox } from "../../domain/async/time-box.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { EndpointSecret } from "../../rules/webhooks/webhook-records.ts";
import { signWebhook } from "../signature.ts";
import type { Sent, WebhookTransport } from "./transport.ts";

export interface Outgoing {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secrets: readonly EndpointSecret[];
  readonly event_id: string;
  readonly event_type: string;
  readonly body: string;
}

export interface SendAttempt {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly started_at: number;
  readonly timeoutMs: number;
}

const maxOpenedSecrets = 10_000;
/**
 * A drain keeps a second after `timeoutMs` to write down the outcome. This is half
 * of it.
 */
const graceMs = 500;

/**
 * Makes the function that sends. Every attempt is signed anew, with the secrets
 * that are valid at that time, and `t` is its start.
 */
export function createSend(ctx: {
  readonly transport: WebhookTransport;
  readonly keyRing: KeyRing;
}) {
  const openSecret = secretOpener(ctx.keyRing);

  return async (message: Outgoing, { attempt, started_at, timeoutMs }: SendAttempt) => {
    const { endpoint_id, event_id, event_type, body, url } = message;
    const live = message.secrets.filter(
      ({ expires_at }) => expires_at === null || expires_at > started_at,
    );
    const secret = await Promise.all(live.map(({ sealed }) => openSecret(sealed, endpoint_id)));
    const timestamp = Math.floor(started_at / 1_000);
    const signature = await signWebhook({ rawBody: body, secret, timestamp });

    // The host's signal is not passed on: after an abort running sends still end,
    // so that every attempt that is counted has an outcome.
    const sending = ctx.transport.send({
      url,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "vitrine-webhooks/1",
        "X-Service-Signature": signature,
        "X-Service-Event-Id": event_id,
        "X-Service-Event-Type": event_type,
        "X-Service-Attempt": String(attempt),
      },
      body,
      timeoutMs,
    });
    return timeBox(sending, timeoutMs + graceMs, () => timedOut(timeoutMs));
  };
}

/** Keeps the secrets that it has opened, because unsealing costs more than signing. */
function secretOpener(keyRing: KeyRing) {
  const opened = new Map<string, Promise<string>>();

  return (sealed: string, endpoint_id: string): Promise<string> => {
    let secret = opened.get(sealed);
    if (!secret) {
      secret = keyRing.unseal(sealed, endpoint_id);
      if (opened.size >= maxOpenedSecrets) opened.clear();
      opened.set(sealed, secret);
    }
    return secret;
  };
}

/**
 * Makes the outcome of a send that took too long. A host's transport that never
 * answers is a timeout too, because the drain would otherwise wait for ever.
 */
const timedOut = (duration_ms: number): Sent => ({
  ok: false,
  status: null,
  error: "timeout",
  snippet: null,
  duration_ms,
});
