import type { RenderedEvent } from "../../webhooks/render-event.ts";
import type { EventRecord, Partition } from "../records.ts";
import type {
  AttemptLog,
  ClaimedDelivery,
  DeliveryKey,
  DeliveryRecord,
  EndpointRecord,
  Settlement,
  SettleOutcome,
  WebhookStore,
} from "../webhook-store.ts";
import { type MemoryState, rowKey } from "./state.ts";

interface LeasedDelivery extends DeliveryRecord {
  readonly lease_token: string | null;
}

export interface WebhookState {
  readonly counters: Map<string, { readonly order_number: number; readonly sequence: number }>;
  /** By partition, in the order of their sequence. */
  readonly events: Map<string, EventRecord[]>;
  readonly endpoints: Map<string, EndpointRecord>;
  readonly deliveries: Map<string, LeasedDelivery>;
  /** Keys of pending deliveries by endpoint. */
  readonly pending: Map<string, Set<string>>;
  readonly attempts: Map<string, readonly AttemptLog[]>;
}

export const createWebhookState = (): WebhookState => ({
  counters: new Map(),
  events: new Map(),
  endpoints: new Map(),
  deliveries: new Map(),
  pending: new Map(),
  attempts: new Map(),
});

/** The order number and the block of sequences of a step that writes. */
export function takeNumbers(
  state: MemoryState,
  partition: Partition,
  wanted: { orders: 0 | 1; events: number },
): { order_number: number; first_sequence: number } {
  const key = rowKey(partition);
  const { order_number, sequence } = state.webhooks.counters.get(key) ?? { order_number: 0, sequence: 0 };
  state.webhooks.counters.set(key, { order_number: order_number + wanted.orders, sequence: sequence + wanted.events });
  return { order_number: order_number + wanted.orders, first_sequence: sequence + 1 };
}

/** Events with their deliveries: `pending` for enabled endpoints, `skipped` for disabled ones. */
export function insertEvents(state: MemoryState, partition: Partition, events: readonly RenderedEvent[]): void {
  const stored = state.webhooks.events.get(rowKey(partition)) ?? [];
  state.webhooks.events.set(rowKey(partition), stored);
  const endpoints = [...state.webhooks.endpoints.values()].filter(
    (endpoint) => endpoint.store_id === partition.store_id && endpoint.livemode === partition.livemode,
  );
  for (const event of events) {
    stored.push(event);
    for (const endpoint of endpoints) {
      if (endpoint.event_types !== null && !endpoint.event_types.includes(event.type)) continue;
      put(state, {
        store_id: partition.store_id,
        livemode: partition.livemode,
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: event.type,
        state: endpoint.state === "enabled" ? "pending" : "skipped",
        attempts: 0,
        due_at: event.created_at,
        created_at: event.created_at,
        updated_at: event.created_at,
        lease_token: null,
      });
    }
  }
}

const keyOf = (key: DeliveryKey): string => `${key.store_id}\n${key.endpoint_id}\n${key.event_id}`;

function put(state: MemoryState, delivery: LeasedDelivery): void {
  const key = keyOf(delivery);
  state.webhooks.deliveries.set(key, delivery);
  const pending = state.webhooks.pending.get(delivery.endpoint_id) ?? new Set();
  state.webhooks.pending.set(delivery.endpoint_id, pending);
  if (delivery.state === "pending") pending.add(key);
  else pending.delete(key);
}

const shown = ({ lease_token: _, ...delivery }: LeasedDelivery): DeliveryRecord => delivery;

export function memoryWebhooks(state: MemoryState): WebhookStore {
  const { endpoints, deliveries, pending, attempts, events } = state.webhooks;
  const ofEndpoint = (id: string): LeasedDelivery[] => [...(pending.get(id) ?? [])].flatMap((key) => deliveries.get(key) ?? []);
  const findOwn = (partition: Partition, id: string): EndpointRecord | null => {
    const endpoint = endpoints.get(id);
    return endpoint && endpoint.store_id === partition.store_id && endpoint.livemode === partition.livemode ? endpoint : null;
  };
  const skipPending = (id: string, now: number): void => {
    for (const delivery of ofEndpoint(id)) put(state, { ...delivery, state: "skipped", lease_token: null, updated_at: now });
  };

  return {
    async listEvents({ after, limit, ...partition }) {
      const own = events.get(rowKey(partition)) ?? [];
      const seen = after === undefined ? undefined : own.find((event) => event.id === after);
      if (after !== undefined && !seen) return { outcome: "unknown_cursor" };
      const rest = seen ? own.slice(seen.sequence) : own;
      if (seen && rest.some((event) => event.body === null)) return { outcome: "cursor_expired" };
      return { outcome: "listed", events: rest.filter((event) => event.body !== null).slice(0, limit + 1) };
    },
    async createEndpoint(endpoint, max) {
      if (!state.access.stores.has(endpoint.store_id)) return { outcome: "unknown_store" };
      const own = [...endpoints.values()].filter((other) => other.store_id === endpoint.store_id && other.id !== endpoint.id);
      if (own.length >= max) return { outcome: "limit" };
      endpoints.set(endpoint.id, endpoint);
      return { outcome: "created" };
    },
    listEndpoints: async (partition) =>
      [...endpoints.values()].filter((endpoint) => findOwn(partition, endpoint.id)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    findEndpoint: async (partition, id) => findOwn(partition, id),
    async updateEndpoint(partition, id, changes, now) {
      const endpoint = findOwn(partition, id);
      if (!endpoint) return null;
      const updated = { ...endpoint, ...changes };
      endpoints.set(id, updated);
      if (updated.state === "disabled") skipPending(id, now);
      return updated;
    },
    async deleteEndpoint(partition, id, now) {
      if (!findOwn(partition, id)) return false;
      skipPending(id, now);
      return endpoints.delete(id);
    },
    async claimDeliveries(claim) {
      const claimed: ClaimedDelivery[] = [];
      const ids = [...endpoints.keys()].sort();
      const start = claim.after_endpoint === null ? 0 : ids.filter((id) => id <= (claim.after_endpoint ?? "")).length;
      for (const id of [...ids.slice(start), ...ids.slice(0, start)]) {
        const endpoint = endpoints.get(id);
        if (!endpoint || endpoint.state === "disabled" || claim.saturated.includes(id)) continue;
        const room = Math.min(claim.per_endpoint, claim.limit - claimed.length);
        const due = ofEndpoint(id)
          .filter((delivery) => delivery.due_at <= claim.now)
          .sort((a, b) => a.due_at - b.due_at)
          .slice(0, Math.max(0, room));
        for (const delivery of due) {
          const event = events.get(rowKey(delivery))?.find((candidate) => candidate.id === delivery.event_id);
          if (!event?.body) continue;
          put(state, { ...delivery, due_at: claim.lease_until, lease_token: claim.lease_token });
          claimed.push({ ...shown(delivery), url: endpoint.url, secrets: endpoint.secrets, body: event.body });
        }
      }
      return claimed;
    },
    async settleDeliveries(settlements, now) {
      return settlements.map((settlement) => settle(state, settlement, now));
    },
    async releaseDeliveries(keys, lease_token, now) {
      for (const key of keys) {
        const delivery = deliveries.get(keyOf(key));
        if (delivery?.state === "pending" && delivery.lease_token === lease_token)
          put(state, { ...delivery, due_at: now, lease_token: null });
      }
    },
    async nextDue() {
      let earliest: number | null = null;
      for (const endpoint of endpoints.values()) {
        if (endpoint.state !== "enabled") continue;
        for (const { due_at } of ofEndpoint(endpoint.id)) earliest = earliest === null ? due_at : Math.min(earliest, due_at);
      }
      return earliest;
    },
    listDeliveries: async (query) =>
      [...deliveries.values()]
        .filter(
          (delivery) =>
            delivery.store_id === query.store_id &&
            delivery.livemode === query.livemode &&
            (query.endpoint_id === undefined || delivery.endpoint_id === query.endpoint_id) &&
            (query.event_id === undefined || delivery.event_id === query.event_id) &&
            (query.state === undefined || delivery.state === query.state),
        )
        .sort((a, b) => b.created_at - a.created_at || (a.event_id < b.event_id ? 1 : -1))
        .slice(0, query.limit)
        .map(shown),
    listAttempts: async (key) => attempts.get(keyOf(key)) ?? [],
  };
}

function settle(state: MemoryState, settlement: Settlement, now: number): SettleOutcome {
  const { deliveries, attempts } = state.webhooks;
  const key = keyOf(settlement);
  const delivery = deliveries.get(key);
  if (!delivery || delivery.state === "delivered") return "lease_lost";
  const holds = delivery.state === "pending" && delivery.lease_token === settlement.lease_token;
  if (!settlement.delivered && !holds) return "lease_lost";
  attempts.set(key, [...(attempts.get(key) ?? []), settlement.log]);
  const base = { ...delivery, attempts: delivery.attempts + 1, lease_token: null, updated_at: now };
  if (settlement.delivered) put(state, { ...base, state: "delivered" });
  else if (settlement.due_at === null) put(state, { ...base, state: "exhausted" });
  else put(state, { ...base, due_at: settlement.due_at });
  return settlement.delivered ? "delivered" : settlement.due_at === null ? "exhausted" : "rescheduled";
}
