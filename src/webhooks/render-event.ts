import { iso } from "../contract/render.ts";
import type { EventDraft, EventRecord, Partition } from "../storage/records.ts";

export interface RenderedEvent extends EventRecord {
  readonly body: string;
}

/** Rendered once, inside the step that writes it: the exact bytes that are sent and listed (SPEC 2.10, CONTRACT 7). */
export function renderEvent(partition: Partition, draft: EventDraft, order_number: number, sequence: number): RenderedEvent {
  const body = JSON.stringify({
    id: draft.id,
    type: draft.type,
    livemode: partition.livemode,
    created_at: iso(draft.created_at),
    api_version: "v1",
    sequence,
    store_id: partition.store_id,
    data: draft.data(order_number),
  });
  return {
    store_id: partition.store_id,
    livemode: partition.livemode,
    id: draft.id,
    sequence,
    type: draft.type,
    created_at: draft.created_at,
    body,
  };
}
