import type { EventRecord, Partition } from "../../rules/records.ts";
import { firstDelivery, wantsEvent } from "../../rules/webhooks/deliveries.ts";
import type { RenderedEvent } from "../../rules/webhooks/render-event.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { endpointsOf } from "./endpoints.ts";
import { putDelivery } from "./webhook-state.ts";

/** Takes the order number and the block of sequences for a step that writes. */
export function takeNumbers(
  { webhooks: { counters } }: MemoryState,
  partition: Partition,
  wanted: { orders: 0 | 1; events: number },
): { order_number: number; first_sequence: number } {
  const key = rowKey(partition);
  const { order_number, sequence } = counters.get(key) ?? { order_number: 0, sequence: 0 };
  const lastOrder = order_number + wanted.orders;

  counters.set(key, { order_number: lastOrder, sequence: sequence + wanted.events });
  return { order_number: lastOrder, first_sequence: sequence + 1 };
}

/** Writes events with their deliveries to the endpoints that want them. */
export function insertEvents(
  state: MemoryState,
  partition: Partition,
  events: readonly RenderedEvent[],
): void {
  const { webhooks } = state;
  const stored = webhooks.events.get(rowKey(partition)) ?? [];
  webhooks.events.set(rowKey(partition), stored);
  const endpoints = endpointsOf(state, partition);

  for (const event of events) {
    stored.push(event);
    webhooks.sequences.set(rowKey(partition, event.id), event.sequence);

    const { id: event_id, type: event_type, created_at } = event;
    for (const endpoint of endpoints) {
      if (wantsEvent(endpoint, event_type))
        putDelivery(webhooks, firstDelivery(endpoint, { event_id, event_type, created_at }));
    }
  }
}

export function findEvent(
  { webhooks }: MemoryState,
  partition: Partition,
  id: string,
): EventRecord | undefined {
  const stored = webhooks.events.get(rowKey(partition)) ?? [];
  const sequence = webhooks.sequences.get(rowKey(partition, id)) ?? 0;
  return stored[sequence - (stored[0]?.sequence ?? 0)];
}
