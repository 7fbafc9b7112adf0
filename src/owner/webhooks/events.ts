import { z } from "zod";
import { type EventType, eventTypes, type WebhookEvent } from "../../contract/events.ts";
import type { Page } from "../../contract/routes.ts";
import { iso } from "../../domain/text/iso.ts";
import { check } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import type { EventRecord, Partition } from "../../rules/records.ts";
import { notFound, type OwnerContext } from "../context.ts";
import { ageOrder, createdFields, listFields, present, rangeOf, readListing } from "../listing.ts";

const EventListInput = z.strictObject({
  ...listFields,
  ...createdFields,
  type: z.enum(eventTypes).nullish(),
  order_id: foreignId.nullish(),
});
/** Selects the events of a list. A filter that is left out, or null, lists all. */
export interface EventListInput extends z.input<typeof EventListInput> {}

const EventRef = z.strictObject({ store_id: foreignId, livemode: z.boolean(), id: foreignId });

/** Names one event of a store and mode. */
export interface EventRef extends z.input<typeof EventRef> {}

/** An event with the state of its deliveries. */
export interface OwnerEvent extends Partition {
  /** Begins with `evt_`. */
  readonly id: string;
  readonly type: EventType;
  /** Counts without gaps in each store and mode. */
  readonly sequence: number;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** What receivers get, as it was written. Null once its bytes were pruned. */
  readonly payload: WebhookEvent | null;
}

/** Reads the events of a store. */
export interface OwnerEvents {
  /**
   * Lists the events of a store and mode by time, then by sequence, the newest first.
   * `sort: "oldest"` reverses the list. Filters limit it to a type, an order or a span of time.
   * When `order_id` is given, the events whose bytes were pruned are left out. Throws
   * `parameter_invalid` for a wrong filter, and `invalid_cursor` for a cursor from a list with
   * other filters.
   */
  list(input: EventListInput): Promise<Page<OwnerEvent>>;
  /**
   * Reads an event. Throws `resource_not_found` for an event of another store or
   * mode.
   */
  retrieve(event: EventRef): Promise<OwnerEvent>;
}

const render = (event: EventRecord): OwnerEvent => ({
  store_id: event.store_id,
  livemode: event.livemode,
  id: event.id,
  type: event.type,
  sequence: event.sequence,
  created_at: eventTime(event),
  payload: payloadOf(event),
});

/** Gives the event's own time. Once its bytes are pruned, it is the time of their storing. */
export const eventTime = (event: Pick<EventRecord, "body" | "created_at">): string =>
  payloadOf(event)?.created_at ?? iso(event.created_at);

/**
 * Gives the payload of an event. The bytes are JSON of this type, because
 * `renderEvent` alone writes them.
 */
export const payloadOf = ({ body }: Pick<EventRecord, "body">): WebhookEvent | null =>
  body === null ? null : JSON.parse(body);

export const createEvents = (ctx: OwnerContext): OwnerEvents => ({
  async list(input) {
    const query = check(EventListInput, input);
    const { store_id, livemode, type, order_id } = query;
    const range = { ...rangeOf(query), ...ageOrder(query) };
    const filters = { store_id, livemode, ...range, ...present({ type, order_id }) };

    return readListing(ctx, query, {
      name: "events",
      read: (place, limit) =>
        ctx.storage.lists.listEvents({
          ...filters,
          ...(place && { after: { created_at: place.position, sequence: Number(place.id) } }),
          limit,
        }),
      placeOf: ({ created_at, sequence }) => ({ position: created_at, id: String(sequence) }),
      render,
    });
  },

  async retrieve(event) {
    const { id, ...partition } = check(EventRef, event);
    const found = await ctx.storage.lists.findEvent(partition, id);
    return found ? render(found) : notFound(ctx, partition.store_id);
  },
});
