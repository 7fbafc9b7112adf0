import type { Claim } from "#core/storage/webhook-store.ts";
import { type EndpointLook, maxEndpoints } from "./claim-look.ts";
import { LookPace, lateMs } from "./look-pace.ts";

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
  /** False when the claim went on behind the known places. */
  readonly isWhole: boolean;
}

export interface KnownQueues {
  readonly places: readonly KnownQueue[];
  /** Other endpoints are looked for among the deliveries that are due since then. */
  readonly fresh_since: number;
  /** Nothing was due for the other endpoints up to this time. */
  readonly others_since: number;
}

/** Other endpoints are looked for this often. */
const freshMs = 250;
/** The most endpoints without pending deliveries whose places are remembered. */
const mostIdle = maxEndpoints / 2;

/**
 * Remembers up to where this process has claimed from each queue, so that the next claims begin
 * there. They need it only while whole looks walk past dead rows: see `LookPace`.
 */
export class QueuePlaces {
  readonly pace = new LookPace();
  #places = new Map<string, QueuePlace>();
  #freshAt = Number.NEGATIVE_INFINITY;

  /** Gives where to claim from, or null when the claim shall look through all queues. */
  find(now: number): KnownQueues | null {
    if (this.pace.isWhole(now) || this.#places.size >= maxEndpoints) return null;

    const isFresh = performance.now() - this.#freshAt >= freshMs;
    if (isFresh) this.#freshAt = performance.now();
    return {
      places: [...this.#places].map(([id, { due_at, event_id }]) => ({ id, due_at, event_id })),
      fresh_since: isFresh ? now - lateMs : now,
      others_since: this.pace.wholeNow - lateMs,
    };
  }

  note(claim: Claim, { looks, rows, last, isWhole }: ClaimLooks): void {
    const counts = new Map<string, number>();
    for (const { endpoint_id } of rows) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);

    const latest: QueuePlace = { due_at: claim.now - lateMs, event_id: "" };
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
