import type { EndpointHealth } from "../rules/health.ts";
import type { AlertRecord, EventRecord, Partition } from "../rules/records.ts";
import type { RenderedEvent } from "../rules/render-event.ts";
import type {
  AttemptLog,
  DeliveryKey,
  DeliveryRecord,
  DeliveryState,
  EndpointRecord,
} from "../rules/webhook-records.ts";
import type { DeliveryPlace } from "../storage/webhook-store.ts";
import { DueQueue } from "./due-queue.ts";
import { type MemoryState, rowKey } from "./state.ts";

export interface StoredDelivery extends DeliveryRecord {
  readonly lease_token: string | null;
  readonly failures: number;
  readonly lost_leases: number;
  /** What it was before a resend, and is again when that fails; null while the schedule counts. */
  readonly resumes: { readonly state: DeliveryState; readonly due_at: number } | null;
}

export interface WebhookState {
  readonly counters: Map<string, { readonly order_number: number; readonly sequence: number }>;
  /** By partition, in the order of their sequence. */
  readonly events: Map<string, EventRecord[]>;
  readonly sequences: Map<string, number>;
  readonly endpoints: Map<string, EndpointRecord>;
  readonly deliveries: Map<string, StoredDelivery>;
  /** Pending deliveries by endpoint. */
  readonly due: Map<string, DueQueue>;
  readonly attempts: Map<string, readonly AttemptLog[]>;
  /** Endpoints that fail since their last success. */
  readonly ailing: Map<string, EndpointHealth>;
  readonly notices: Map<string, { readonly alert: AlertRecord; readonly due_at: number }>;
}

export const createWebhookState = (): WebhookState => ({
  counters: new Map(),
  events: new Map(),
  sequences: new Map(),
  endpoints: new Map(),
  deliveries: new Map(),
  due: new Map(),
  attempts: new Map(),
  ailing: new Map(),
  notices: new Map(),
});

/** The order number and the block of sequences of a step that writes. */
export function takeNumbers(
  state: MemoryState,
  partition: Partition,
  wanted: { orders: 0 | 1; events: number },
): { order_number: number; first_sequence: number } {
  const key = rowKey(partition);
  const { order_number, sequence } = state.webhooks.counters.get(key) ?? {
    order_number: 0,
    sequence: 0,
  };
  state.webhooks.counters.set(key, {
    order_number: order_number + wanted.orders,
    sequence: sequence + wanted.events,
  });
  return { order_number: order_number + wanted.orders, first_sequence: sequence + 1 };
}

/** Events with their deliveries: `pending` for enabled endpoints, `skipped` for disabled ones. */
export function insertEvents(
  state: MemoryState,
  partition: Partition,
  events: readonly RenderedEvent[],
): void {
  const stored = state.webhooks.events.get(rowKey(partition)) ?? [];
  state.webhooks.events.set(rowKey(partition), stored);
  const endpoints = [...state.webhooks.endpoints.values()].filter(
    (endpoint) =>
      endpoint.store_id === partition.store_id && endpoint.livemode === partition.livemode,
  );
  for (const event of events) {
    stored.push(event);
    state.webhooks.sequences.set(rowKey(partition, event.id), event.sequence);
    for (const endpoint of endpoints) {
      if (endpoint.event_types !== null && !endpoint.event_types.includes(event.type)) continue;
      putDelivery(state, {
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
        failures: 0,
        lost_leases: 0,
        resumes: null,
      });
    }
  }
}

export function findEvent(
  state: MemoryState,
  partition: Partition,
  id: string,
): EventRecord | undefined {
  const own = state.webhooks.events.get(rowKey(partition)) ?? [];
  const sequence = state.webhooks.sequences.get(rowKey(partition, id)) ?? 0;
  return own[sequence - (own[0]?.sequence ?? 0)];
}

export const deliveryKey = (key: DeliveryKey): string =>
  `${key.store_id}\n${key.endpoint_id}\n${key.event_id}`;

export function putDelivery(state: MemoryState, delivery: StoredDelivery): void {
  const key = deliveryKey(delivery);
  state.webhooks.deliveries.set(key, delivery);
  if (delivery.state !== "pending") return;
  const queue = state.webhooks.due.get(delivery.endpoint_id) ?? new DueQueue();
  state.webhooks.due.set(delivery.endpoint_id, queue);
  queue.push({ due_at: delivery.due_at, key });
}

/** The endpoint's pending delivery that is due first. */
export function firstDue(state: MemoryState, endpoint_id: string): StoredDelivery | undefined {
  const queue = state.webhooks.due.get(endpoint_id);
  for (let entry = queue?.first(); entry; entry = queue?.first()) {
    const delivery = state.webhooks.deliveries.get(entry.key);
    if (delivery?.state === "pending" && delivery.due_at === entry.due_at) return delivery;
    queue?.pop();
  }
  return undefined;
}

export function findEndpoint(
  state: MemoryState,
  partition: Partition,
  id: string,
): EndpointRecord | null {
  const endpoint = state.webhooks.endpoints.get(id);
  return endpoint &&
    endpoint.store_id === partition.store_id &&
    endpoint.livemode === partition.livemode
    ? endpoint
    : null;
}

export function skipDeliveries(
  state: MemoryState,
  endpoint_id: string,
  limit: number,
  now: number,
): number {
  let skipped = 0;
  for (
    let delivery = firstDue(state, endpoint_id);
    delivery && skipped < limit;
    delivery = firstDue(state, endpoint_id)
  ) {
    putDelivery(state, {
      ...delivery,
      state: "skipped",
      lease_token: null,
      lost_leases: 0,
      resumes: null,
      updated_at: now,
    });
    skipped += 1;
  }
  return skipped;
}

export const shown = ({
  lease_token: _a,
  failures: _b,
  lost_leases: _c,
  resumes: _d,
  ...delivery
}: StoredDelivery): DeliveryRecord => delivery;

/** Does `a` come after `b` in a list that begins with the newest? */
export const isBefore = (a: DeliveryPlace, b: DeliveryPlace): boolean =>
  a.created_at !== b.created_at
    ? a.created_at < b.created_at
    : a.event_id !== b.event_id
      ? a.event_id < b.event_id
      : a.endpoint_id < b.endpoint_id;
