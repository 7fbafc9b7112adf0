import type { EventOf, WebhookEvent } from "../../contract/events.ts";
import type { Store } from "../../contract/schemas.ts";
import { sleep } from "../../domain/async/sleep.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import type { Serve } from "../../http/wire.ts";
import { invalidOption, requireSignal } from "../../input/option-error.ts";
import { defaultSchedule } from "../../rules/webhooks/schedule.ts";
import type { ConsumeOptions } from "../../webhooks/consume.ts";
import type { WebhookPost, WebhookTransport } from "../../webhooks/send/transport.ts";
import { callApi } from "./desk.ts";
import { type StoreApi, storeApi } from "./store-api.ts";

/**
 * The events that agents are told of: the order that a payment made, and each change of its money.
 */
const types = ["order.paid", "order.refunded", "order.refund_failed", "order.chargeback"] as const;
type OrderEvent = EventOf<(typeof types)[number]>;

/** The storefront: its events, and its API. */
export interface EventSource {
  readonly serve: Serve;
  consumeEvents(
    options: ConsumeOptions,
    handler: (event: WebhookEvent) => void | Promise<void>,
  ): Promise<void>;
}

/** An agent that is told of its orders. */
export interface ToldAgent {
  /** The value of the order's metadata by which an order is this agent's. */
  readonly name: string;
  /** Makes the message of an event. Null stands for an agent that wants none. */
  post(event: OrderEvent): Promise<Omit<WebhookPost, "timeoutMs"> | null>;
}

/** The settings of an endpoint that sends order webhooks. */
export interface SenderSettings {
  readonly key: string;
  readonly basePath: string;
  readonly webhooks?: { readonly transport: WebhookTransport } | undefined;
  readonly onError: (error: unknown) => void;
}

/** Which agents a protocol tells, and how it names them in the metadata of an order. */
export interface Sender {
  readonly protocol: "acp" | "ucp";
  readonly field: string;
  agents(api: StoreApi): readonly ToldAgent[];
}

/** What the sending works with. */
interface Telling extends Pick<SenderSettings, "onError"> {
  readonly field: string;
  readonly api: StoreApi;
  readonly transport: WebhookTransport;
  readonly signal: AbortSignal;
}

const timeoutMs = 15_000;
const pauseMs = 5_000;
/** The age at which an event is given up, which is when a webhook has its last attempt. */
const giveUpAfterMs = defaultSchedule.reduce((sum, wait) => sum + wait, 0);

/**
 * Tells each agent of its orders until the signal aborts. An agent has a cursor of its own in the
 * store's events: one that does not answer delays no other, and a restart goes on where it stopped.
 */
export async function tellAgents(
  source: EventSource,
  { webhooks, key, basePath, onError }: SenderSettings,
  { protocol, field, agents }: Sender,
  signal: AbortSignal,
): Promise<void> {
  if (!webhooks) return invalidOption("webhooks", "is missing: it names the agents to tell");
  requireSignal(signal);

  const api = storeApi(source.serve, basePath, key, { ip: "", channel: protocol });
  const { transport } = webhooks;
  const telling: Telling = { field, api, transport, signal, onError };
  const store = await findStore(telling);
  if (!store) return;

  const { livemode } = store;
  const consume = async (agent: ToldAgent): Promise<void> => {
    // The other mode has cursors of its own: its events are not this endpoint's to pass over.
    const digest = (await sha256(agent.name)).slice(0, 32);
    const consumer = `${protocol}-orders:${livemode ? "live" : "test"}:${digest}`;
    const options = {
      consumer,
      types,
      store_id: store.data.id,
      signal,
      giveUpAfterMs,
      alertAs: `${protocol} ${agent.name}`,
    };
    return source.consumeEvents(options, async (event) => {
      if (event.livemode === livemode) await tell(telling, agent, event as OrderEvent);
    });
  };
  await Promise.all(agents(api).map(consume));
}

/** Finds the store of the key. Asks again while the storage does not answer. */
async function findStore({ api, signal, onError }: Telling) {
  while (!signal.aborted) {
    try {
      return await callApi<Store>(api, { method: "GET", path: "/store" }, unanswered);
    } catch (error) {
      onError(error);
      await sleep(pauseMs, signal);
    }
  }
  return null;
}

const unanswered = ({ code }: Readonly<Record<string, unknown>>): Error =>
  new Error(`The API refuses the option key: ${String(code)}.`);

/** Sends the message of an event. Throws on failure, so that the event comes again. */
async function tell(telling: Telling, agent: ToldAgent, event: OrderEvent): Promise<void> {
  const { metadata, checkout_session_id } = event.data.order;
  if (metadata?.[telling.field] !== agent.name || checkout_session_id === null) return;

  const message = await agent.post(event);
  const sent = message && (await telling.transport.send({ ...message, timeoutMs }));
  if (sent && !sent.ok)
    throw new Error(`${agent.name} did not take ${event.id}: ${sent.status ?? sent.error}`);
}
