import { createHash, randomBytes } from "node:crypto";
import type { WebhookEvent } from "#core/client/types.ts";
import { signWebhook } from "#core/webhooks/signature.ts";
import type { Api } from "../../frame/api.ts";
import { readState, writeState } from "../../frame/files/state-folder.ts";

/** What a listener keeps between its runs, for one store, mode and target. */
export interface ListenerState {
  readonly target: string;
  readonly store_id: string;
  readonly livemode: boolean;
  /** Signs what is forwarded. No endpoint of the store has it. */
  readonly secret: string;
  /**
   * The last event that the target accepted, or that came before the first run. Null when
   * none came before. Absent until the first run has found the end of the feed.
   */
  readonly cursor?: string | null;
}

export const listenerPrefix = "listen-";

const nameOf = ({ store, livemode }: Api, target: string): string => {
  const whole = JSON.stringify([store.id, livemode, target]);
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 16);
  return `${listenerPrefix}${hash}.json`;
};

/** Opens the state of a listener, and makes its secret at the first run. */
export function openListener(folder: string, api: Api, target: string) {
  const name = nameOf(api, target);
  const known = readState<ListenerState>(folder, name);
  let state: ListenerState = known ?? {
    target,
    store_id: api.store.id,
    livemode: api.livemode,
    secret: `whsec_${randomBytes(24).toString("base64url")}`,
  };
  if (!known) writeState(folder, name, state);

  return {
    isNew: known?.cursor === undefined,
    name,
    state: () => state,
    moveTo(cursor: string | null): void {
      state = { ...state, cursor };
      writeState(folder, name, state);
    },
  };
}

/** The outcome of one try to forward an event. */
export interface Forwarded {
  /** Null when nobody answered. */
  readonly status: number | null;
  readonly ms: number;
}

const timeoutMs = 15_000;

/** Sends an event as a delivery is sent: the same bytes, headers and signature. */
export async function forward(
  event: WebhookEvent,
  { target, secret }: ListenerState,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
): Promise<Forwarded> {
  const rawBody = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1_000);
  const started = performance.now();
  const took = (): number => Math.round(performance.now() - started);
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-service-signature": await signWebhook({ rawBody, secret, timestamp }),
        "x-service-event-id": event.id,
        "x-service-event-type": event.type,
        "x-service-attempt": String(attempt),
      },
      body: rawBody,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: took() };
  } catch {
    return { status: null, ms: took() };
  }
}
