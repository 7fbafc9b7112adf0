import type { EventRecord } from "../rules/records.ts";
import { rotated } from "../rules/rotate.ts";
import type { WebhookStore } from "../storage/webhook-store.ts";
import { memoryDeliveries } from "./deliveries.ts";
import { memorySettling } from "./settling.ts";
import { type MemoryState, rowKey } from "./state.ts";
import {
  deliveryKey,
  findEndpoint,
  findEvent,
  isBefore,
  shown,
  skipDeliveries,
} from "./webhooks.ts";

export function memoryWebhooks(state: MemoryState): WebhookStore {
  const { endpoints, events } = state.webhooks;

  return {
    ...memoryDeliveries(state),
    ...memorySettling(state),
    async listEvents({ after, limit, ...partition }) {
      const own = events.get(rowKey(partition)) ?? [];
      const seen = after === undefined ? undefined : findEvent(state, partition, after);
      if (after !== undefined && !seen) return { outcome: "unknown_cursor" };
      const rest = seen ? own.slice(seen.sequence - (own[0]?.sequence ?? 0) + 1) : own;
      if (seen && rest.some((event) => event.body === null)) return { outcome: "cursor_expired" };
      return {
        outcome: "listed",
        events: rest.filter((event) => event.body !== null).slice(0, limit + 1),
      };
    },
    async createEndpoint(endpoint, max) {
      if (!state.access.stores.has(endpoint.store_id)) return { outcome: "unknown_store" };
      const own = [...endpoints.values()].filter(
        (other) => other.store_id === endpoint.store_id && other.id !== endpoint.id,
      );
      if (own.length >= max) return { outcome: "limit" };
      endpoints.set(endpoint.id, endpoint);
      return { outcome: "created" };
    },
    listEndpoints: async (partition) =>
      [...endpoints.values()]
        .filter((endpoint) => findEndpoint(state, partition, endpoint.id))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    findEndpoint: async (partition, id) => findEndpoint(state, partition, id),
    async updateEndpoint(partition, id, changes) {
      const endpoint = findEndpoint(state, partition, id);
      if (!endpoint) return null;
      const updated = { ...endpoint, ...changes };
      endpoints.set(id, updated);
      if (endpoint.state === "disabled" && updated.state === "enabled")
        state.webhooks.ailing.delete(id);
      return updated;
    },
    async rotateSecret(partition, id, { sealed, old_until, max, now }) {
      const endpoint = findEndpoint(state, partition, id);
      if (!endpoint) return null;
      const updated = {
        ...endpoint,
        secrets: rotated(endpoint.secrets, { sealed, old_until, max, now }),
      };
      endpoints.set(id, updated);
      return updated;
    },
    async deleteEndpoint(partition, id) {
      return findEndpoint(state, partition, id) !== null && endpoints.delete(id);
    },
    async skipDeliveries(_store_id, endpoint_id, limit, now) {
      return endpoints.get(endpoint_id)?.state === "enabled"
        ? 0
        : skipDeliveries(state, endpoint_id, limit, now);
    },
    async prune({ before, forget_before, limit }) {
      const pruned = { events: 0, attempts: 0, forgotten: 0 };
      const busy = new Set<string>();
      for (const delivery of state.webhooks.deliveries.values())
        if (delivery.state === "pending") busy.add(rowKey(delivery, delivery.event_id));
      for (const own of events.values()) {
        for (const [at, event] of own.entries()) {
          if (pruned.events >= limit || event.created_at >= before || at === own.length - 1) break;
          if (event.body === null || busy.has(rowKey(event, event.id))) continue;
          own[at] = { ...event, body: null };
          pruned.events += 1;
        }
        while (
          pruned.forgotten < limit &&
          own[0]?.body === null &&
          own[0].created_at < forget_before
        ) {
          forget(state, own[0]);
          own.shift();
          pruned.forgotten += 1;
        }
      }
      for (const [key, logs] of state.webhooks.attempts) {
        const old = logs.filter((log) => log.started_at < before).slice(0, limit - pruned.attempts);
        const kept = logs.filter((log) => !old.includes(log));
        pruned.attempts += old.length;
        if (kept.length === 0) state.webhooks.attempts.delete(key);
        else if (kept.length < logs.length) state.webhooks.attempts.set(key, kept);
      }
      return pruned;
    },
    listAttempts: async (key) => state.webhooks.attempts.get(deliveryKey(key)) ?? [],
    listDeliveries: async ({ before, limit, ...query }) =>
      [...state.webhooks.deliveries.values()]
        .filter(
          (delivery) =>
            delivery.store_id === query.store_id &&
            delivery.livemode === query.livemode &&
            (query.endpoint_id === undefined || delivery.endpoint_id === query.endpoint_id) &&
            (query.event_id === undefined || delivery.event_id === query.event_id) &&
            (query.state === undefined || delivery.state === query.state) &&
            (before === undefined || isBefore(delivery, before)),
        )
        .sort((a, b) => (isBefore(a, b) ? 1 : -1))
        .slice(0, limit)
        .map(shown),
  };
}

function forget(state: MemoryState, event: EventRecord): void {
  state.webhooks.sequences.delete(rowKey(event, event.id));
  for (const [key, delivery] of state.webhooks.deliveries)
    if (delivery.store_id === event.store_id && delivery.event_id === event.id)
      state.webhooks.deliveries.delete(key);
}
