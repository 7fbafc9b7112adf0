import type { Claim } from "#core/storage/webhook-store.ts";
import { type EndpointLook, maxEndpoints } from "./claim-look.ts";
import { LookPace } from "./look-pace.ts";
import { type Look, Overlap } from "./overlap.ts";

/** A place in the queue of an endpoint. The event orders what is due at the same time. */
export interface QueuePlace {
  readonly due_at: number;
  readonly event_id: string;
}

/** The queue of an endpoint, and the place up to which nothing is expected in it. */
export interface KnownQueue extends QueuePlace {
  readonly id: string;
}

/** What a claim found. */
export interface ClaimLooks {
  readonly looks: readonly EndpointLook[];
  readonly rows: readonly { readonly endpoint_id: string }[];
  /** The last delivery that was leased of each endpoint, as it stood in the queue. */
  readonly last: ReadonlyMap<string, QueuePlace>;
  /** Where the claim went on. Null when it looked through all queues. */
  readonly known: KnownQueues | null;
}

/** The places from which a claim goes on. Nothing was due for other endpoints up to `since`. */
export interface KnownQueues extends Look {
  readonly places: readonly KnownQueue[];
}

/** The most endpoints without pending deliveries whose places are remembered. */
const mostIdle = maxEndpoints / 2;

/**
 * Remembers up to where this process has claimed from each queue, so that the next claims begin
 * there. They need it only while whole looks walk past dead rows: see `LookPace`.
 */
export class QueuePlaces {
  readonly pace = new LookPace();
  #places = new Map<string, QueuePlace>();
  readonly #overlap = new Overlap();

  /** Gives where to claim from, or null when the claim shall look through all queues. */
  find(now: number): KnownQueues | null {
    if (this.pace.isWhole(now) || this.#places.size >= maxEndpoints) return null;

    const look = this.#overlap.begin(now);
    const earliest: QueuePlace = { due_at: look.since, event_id: "" };
    const places = [...this.#places].map(([id, place]) => {
      const { due_at, event_id } = isBehind(place, earliest) ? earliest : place;
      return { id, due_at, event_id };
    });
    return { ...look, places };
  }

  note(claim: Claim, { looks, rows, last, known: from }: ClaimLooks): void {
    const isWhole = from === null;
    this.#overlap.end(from ?? { now: claim.now, isWide: true });

    const counts = new Map<string, number>();
    for (const { endpoint_id } of rows) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);

    const latest: QueuePlace = { due_at: claim.now, event_id: "" };
    const isCut = rows.length >= claim.limit;
    const placeOf = ({ endpoint_id, due_at, endpoint_state }: EndpointLook): QueuePlace => {
      const quota = claim.quota_by_endpoint[endpoint_id] ?? claim.per_endpoint;
      const isServed = endpoint_state === "enabled" && !isCut;
      const isEmpty = due_at > claim.now || (isServed && (counts.get(endpoint_id) ?? 0) < quota);
      const reached = last.get(endpoint_id) ?? { due_at: due_at - 1, event_id: "" };
      return isEmpty || isBehind(reached, latest) ? latest : reached;
    };

    const known = this.#places;
    const seen = new Map(looks.map((look) => [look.endpoint_id, placeOf(look)]));
    if (isWhole) this.#places = new Map(seen);
    for (const [id, place] of seen) this.#places.set(id, place);
    // Nothing is due for those that were not seen.
    for (const id of known.keys())
      if (!seen.has(id) && (!isWhole || this.#places.size < mostIdle)) this.#places.set(id, latest);
  }
}

export const isBehind = (one: QueuePlace, other: QueuePlace): boolean =>
  one.due_at > other.due_at || (one.due_at === other.due_at && one.event_id > other.event_id);
