import type { AlertRecord, EventRecord } from "../../rules/records.ts";
import type { StoredDelivery } from "../../rules/webhooks/deliveries.ts";
import type { EndpointHealth } from "../../rules/webhooks/health.ts";
import type { AttemptLog, EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import { DueQueue } from "./due-queue.ts";

export interface WebhookState {
  /** The last numbers that were taken, by partition. */
  readonly counters: Map<string, { readonly order_number: number; readonly sequence: number }>;
  /** The events of each partition, in the order of their sequence. */
  readonly events: Map<string, EventRecord[]>;
  /** The sequence of each event, by partition and id. */
  readonly sequences: Map<string, number>;
  readonly endpoints: Map<string, EndpointRecord>;
  readonly deliveries: Map<string, StoredDelivery>;
  /** The pending deliveries of each endpoint. */
  readonly due: Map<string, DueQueue>;
  readonly attempts: Map<string, readonly AttemptLog[]>;
  /** The endpoints that have failed since their last success. */
  readonly failing: Map<string, EndpointHealth>;
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
  failing: new Map(),
  notices: new Map(),
});

/** Where a consumer of the host stands in the events of one partition. */
export interface CursorRow {
  readonly sequence: number;
  readonly lease_token: string | null;
  readonly leased_until: number;
  readonly failures: number;
}

/** Gives the key of a delivery and of its attempts. An id never holds a line break. */
export const deliveryKey = (key: {
  readonly store_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
}): string => `${key.store_id}\n${key.endpoint_id}\n${key.event_id}`;

export function putDelivery({ deliveries, due }: WebhookState, delivery: StoredDelivery): void {
  const key = deliveryKey(delivery);
  deliveries.set(key, delivery);
  if (delivery.state !== "pending") return;

  const queue = due.get(delivery.endpoint_id) ?? new DueQueue();
  due.set(delivery.endpoint_id, queue);
  queue.push({ due_at: delivery.due_at, key });
}

/** Gives the endpoint's pending delivery that is due first. */
export function firstDue(
  { deliveries, due }: WebhookState,
  endpoint_id: string,
): StoredDelivery | undefined {
  const queue = due.get(endpoint_id);

  for (let entry = queue?.first(); entry; entry = queue?.first()) {
    const delivery = deliveries.get(entry.key);
    if (delivery?.state === "pending" && delivery.due_at === entry.due_at) return delivery;

    // The delivery has changed since this entry was made.
    queue?.pop();
  }
  return undefined;
}
