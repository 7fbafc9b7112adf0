import { iso } from "../../domain/text/iso.ts";
import type { EventDraft, EventRecord, Partition } from "../records.ts";

/** An event as it is written, with its bytes. */
export interface RenderedEvent extends EventRecord {
  readonly body: string;
}

/**
 * An event whose sequence is not known yet. The sequence stands in the body between
 * `head` and `tail`.
 */
export interface EventParts
  extends Pick<EventRecord, "id" | "type" | "created_at">,
    Pick<EventDraft, "agent"> {
  readonly head: string;
  readonly tail: string;
}

/** What an event is told beside its draft, in the transaction that writes it. */
interface RenderFacts {
  readonly order_number: number;
  /** The event's own time is this far ahead of the real one, at which it is stored. */
  readonly offset: number;
}

export function renderParts(
  partition: Partition,
  { id, type, created_at, data, agent }: EventDraft,
  { order_number, offset }: RenderFacts,
): EventParts {
  const start = JSON.stringify({
    id,
    type,
    livemode: partition.livemode,
    created_at: iso(created_at),
    api_version: "v1",
  });
  const rest = JSON.stringify({ store_id: partition.store_id, data: data(order_number) });
  return {
    id,
    type,
    created_at: created_at - offset,
    head: `${start.slice(0, -1)},"sequence":`,
    tail: `,${rest.slice(1)}`,
    agent,
  };
}

/**
 * Renders an event once, inside the step that writes it: the body holds the exact
 * bytes that are sent and listed.
 */
export function renderEvent(
  partition: Partition,
  draft: EventDraft,
  { sequence, ...facts }: RenderFacts & { readonly sequence: number },
): RenderedEvent {
  const { id, type, created_at, head, tail } = renderParts(partition, draft, facts);
  const { store_id, livemode } = partition;
  return { store_id, livemode, id, sequence, type, created_at, body: `${head}${sequence}${tail}` };
}
