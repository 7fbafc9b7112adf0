import type { ClaimedDelivery, EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { DrainContext } from "./drain-context.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";

export type Destination = Pick<EndpointRecord, "url" | "secrets" | "agent">;

interface KnownDestination extends Destination {
  /** The time at which the read of it began, by the monotonic clock. */
  readonly readAt: number;
}

export interface DestinationParts {
  readonly queues: EndpointQueues;
  /** Tells that another process has deleted or disabled the endpoint. */
  endpointGone(endpoint_id: string): void;
  /** Tells that the deliveries that waited for the read can be sent. */
  onRead(): void;
}

/**
 * A send needs a read of its endpoint that began at most this long ago. Reads are
 * this far apart, too.
 */
const maxAgeMs = 1_000;

export type Destinations = ReturnType<typeof createDestinations>;

/**
 * Knows where the endpoints are reached, and by which secrets. What a claim has
 * read counts for a second. After that one statement reads all endpoints with
 * leased deliveries again. So a send obeys within a second when another process
 * changes an address or a secret, or disables an endpoint.
 */
export function createDestinations(
  ctx: Pick<DrainContext, "store" | "monotonicNow" | "onError">,
  { queues, endpointGone, onRead }: DestinationParts,
) {
  const known = new Map<string, KnownDestination>();
  let lastReadAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: Promise<void> | null = null;

  function learn(endpoint_id: string, { url, secrets, agent }: Destination, readAt: number): void {
    const before = known.get(endpoint_id);
    if (!before || before.readAt < readAt) known.set(endpoint_id, { url, secrets, agent, readAt });
  }

  async function readAll(): Promise<void> {
    const readAt = ctx.monotonicNow();
    lastReadAt = readAt;
    const ids = queues.waitingEndpoints();
    const found = await ctx.store.findDestinations(ids);
    for (const { id, ...destination } of found) learn(id, destination, readAt);

    const isGone = (id: string): boolean => (known.get(id)?.readAt ?? readAt) < readAt;
    for (const id of ids.filter(isGone)) endpointGone(id);
  }

  function startReading(): void {
    timer = undefined;
    reading = readAll()
      // The next second brings the next try; leases that grow too old meanwhile are given back.
      .catch((error: unknown) => ctx.onError(error, "webhooks"))
      .finally(() => {
        reading = null;
        onRead();
      });
  }

  return {
    /** Takes over what a claim that began at this time has read. */
    learn: (delivery: ClaimedDelivery, readAt: number): void =>
      learn(delivery.endpoint_id, delivery, readAt),
    isFresh(endpoint_id: string): boolean {
      const readAt = known.get(endpoint_id)?.readAt ?? Number.NEGATIVE_INFINITY;
      return ctx.monotonicNow() - readAt <= maxAgeMs;
    },
    find: (endpoint_id: string): Destination | undefined => known.get(endpoint_id),
    /** Reads again as soon as a second has passed since the last read. */
    refresh(): void {
      if (reading || timer !== undefined) return;

      const waitMs = lastReadAt + maxAgeMs - ctx.monotonicNow();
      if (waitMs <= 0) startReading();
      else timer = setTimeout(startReading, waitMs);
    },
    /** Says whether a read is under way or will be. */
    isReading: (): boolean => reading !== null || timer !== undefined,
    async end(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      await reading;
    },
  };
}
