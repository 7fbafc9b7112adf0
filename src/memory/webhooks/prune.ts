import type { EventRecord } from "../../rules/records.ts";
import type { Pruned, WebhookStore } from "../../storage/webhook-store.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

type PruneRange = Parameters<WebhookStore["prune"]>[0];

export function pruneWebhooks(state: MemoryState, range: PruneRange): Pruned {
  return { ...pruneEvents(state, range), attempts: pruneAttempts(state, range) };
}

function pruneEvents(
  state: MemoryState,
  { before, forget_before, limit }: PruneRange,
): Pick<Pruned, "events" | "forgotten"> {
  const pending = eventsWithPendingDeliveries(state);
  let pruned = 0;
  let forgotten = 0;

  for (const stored of state.webhooks.events.values()) {
    const newestAt = stored.length - 1;
    for (const [at, event] of stored.entries()) {
      if (pruned >= limit || event.created_at >= before || at === newestAt) break;
      if (event.body === null || pending.has(rowKey(event, event.id))) continue;

      stored[at] = { ...event, body: null };
      pruned += 1;
    }

    for (let oldest = stored[0]; oldest && forgotten < limit; oldest = stored[0]) {
      if (oldest.body !== null || oldest.created_at >= forget_before) break;

      forgetEvent(state, oldest);
      stored.shift();
      forgotten += 1;
    }
  }
  return { events: pruned, forgotten };
}

function eventsWithPendingDeliveries({ webhooks }: MemoryState): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const delivery of webhooks.deliveries.values())
    if (delivery.state === "pending") keys.add(rowKey(delivery, delivery.event_id));
  return keys;
}

function forgetEvent({ webhooks }: MemoryState, event: EventRecord): void {
  webhooks.sequences.delete(rowKey(event, event.id));
  for (const [key, delivery] of webhooks.deliveries)
    if (delivery.store_id === event.store_id && delivery.event_id === event.id)
      webhooks.deliveries.delete(key);
}

function pruneAttempts({ webhooks }: MemoryState, { before, limit }: PruneRange): number {
  let pruned = 0;
  for (const [key, logs] of webhooks.attempts) {
    const old = logs.filter((log) => log.started_at < before).slice(0, limit - pruned);
    const kept = logs.filter((log) => !old.includes(log));
    pruned += old.length;

    if (kept.length === 0) webhooks.attempts.delete(key);
    else if (kept.length < logs.length) webhooks.attempts.set(key, kept);
  }
  return pruned;
}
