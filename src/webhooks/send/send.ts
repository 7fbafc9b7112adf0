import { timeBox } from "../../domain/async/time-box.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { EndpointAgent, EndpointSecret } from "../../rules/webhooks/webhook-records.ts";
import { signWebhook } from "../signature.ts";
import type { Sent, WebhookPost, WebhookTransport } from "./transport.ts";

export interface Outgoing {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secrets: readonly EndpointSecret[];
  /** The message is written in the protocol of this agent. */
  readonly agent?: EndpointAgent | undefined;
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

/** What is posted to a receiver: the bytes, with the headers that sign them. */
export type Message = Pick<WebhookPost, "headers" | "body">;

/** An event on its way to an agent. */
export interface AgentEvent extends Pick<Outgoing, "url" | "event_id" | "body"> {
  readonly agent: EndpointAgent;
  readonly secret: string;
  readonly started_at: number;
}

/** Writes and signs the message of an event in the protocol of its agent. */
export type WriteAgentMessage = (event: AgentEvent) => Promise<Message>;

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
  onError?(error: unknown, where: string): void;
  /** Without it no endpoint may be an agent's. */
  readonly writeAgentMessage?: WriteAgentMessage;
}) {
  const openSecret = secretOpener(ctx.keyRing);

  return async (
    message: Outgoing,
    { attempt, started_at, timeoutMs }: SendAttempt,
  ): Promise<Sent> => {
    const { endpoint_id, url, agent } = message;
    const live = message.secrets.filter(
      ({ expires_at }) => expires_at === null || expires_at > started_at,
    );
    const secret = await Promise.all(live.map(({ sealed }) => openSecret(sealed, endpoint_id)));
    const [newest = ""] = secret;
    const written =
      agent && ctx.writeAgentMessage
        ? await ctx.writeAgentMessage({ ...message, agent, secret: newest, started_at })
        : await signedEvent(message, secret, { attempt, started_at });

    // The host's signal is not passed on: after an abort running sends still end,
    // so that every attempt that is counted has an outcome.
    const sending = ctx.transport.send({ url, ...written, timeoutMs });
    const sent = await timeBox(sending, timeoutMs + graceMs, () => timedOut(timeoutMs));
    // A host's transport may give anything. Without a boolean, nobody knows that it was delivered.
    if (typeof sent?.ok === "boolean") return sent;
    const fault = "The transport's send gave an answer whose ok is not true or false.";
    ctx.onError?.(new TypeError(fault), "webhooks");
    return { ...timedOut(0), error: null };
  };
}

/** Signs the bytes of an event as they are stored. */
async function signedEvent(
  { event_id, event_type, body }: Outgoing,
  secret: readonly string[],
  { attempt, started_at }: Omit<SendAttempt, "timeoutMs">,
): Promise<Message> {
  const timestamp = Math.floor(started_at / 1_000);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "vitrine-webhooks/1",
    "X-Service-Signature": await signWebhook({ rawBody: body, secret, timestamp }),
    "X-Service-Event-Id": event_id,
    "X-Service-Event-Type": event_type,
    "X-Service-Attempt": String(attempt),
  };
  return { headers, body };
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
