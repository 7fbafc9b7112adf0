import type { EventRecord, Partition } from "../../rules/records.ts";
import type { RenderedEvent } from "../../rules/webhooks/render-event.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

/** Writes an event behind those of its store and mode. */
export function insertEvent({ webhooks }: MemoryState, event: RenderedEvent): void {
  const key = rowKey(event);
  const stored = webhooks.events.get(key) ?? [];
  webhooks.events.set(key, stored);
  stored.push(event);
  webhooks.sequences.set(rowKey(event, event.id), event.sequence);
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

/** Puts an event in the place of the one with its sequence. */
export function replaceEvent({ webhooks }: MemoryState, event: EventRecord): void {
  const stored = webhooks.events.get(rowKey(event)) ?? [];
  const at = event.sequence - (stored[0]?.sequence ?? 0);
  if (stored[at]) stored[at] = event;
}
