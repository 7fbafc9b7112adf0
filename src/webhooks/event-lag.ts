import { isoOrNull } from "../domain/text/iso.ts";
import { requireOptions } from "../input/option-error.ts";
import { refuseWrongOptions } from "../input/option-kinds.ts";
import type { ConsumerStore } from "../storage/consumer-store.ts";
import { requireConsumer } from "./consumer-name.ts";

/** Names the consumer whose lag is asked for. */
export interface LagOptions {
  /** The name that `consumeEvents` or `relayEvents` was given. */
  readonly consumer: string;
  /** Only this store is looked at. By default all are. */
  readonly store_id?: string | undefined;
}

/** Counts what a consumer has not handled yet. */
export interface EventLag {
  /** The number of stores that wait. The test and the live mode of a store count separately. */
  readonly partitions: number;
  /** The number of events that wait. Those pruned before the consumer came to them count too. */
  readonly events: number;
  /**
   * The oldest event that waits was written at this time, in RFC 3339, in UTC. It
   * is null when none waits.
   */
  readonly oldest_created_at: string | null;
}

/** Measures how far a consumer is behind. */
export async function eventLag(store: ConsumerStore, options: LagOptions): Promise<EventLag> {
  requireOptions(options, "eventLag");
  refuseWrongOptions(options, { consumer: true, store_id: "string" });
  const { consumer, store_id } = options;
  requireConsumer(consumer);
  const { oldest_created_at: oldest, ...lag } = await store.lag(consumer, store_id ?? null);
  return { ...lag, oldest_created_at: isoOrNull(oldest) };
}
