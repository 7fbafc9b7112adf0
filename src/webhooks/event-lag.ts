import type { ConsumerStore } from "../storage/consumer-store.ts";

/** The consumer whose lag is asked for. */
export interface LagOptions {
  /** The name that `consumeEvents` or `relayEvents` was given. */
  readonly consumer: string;
  /** The one store to look at; all stores by default. */
  readonly store_id?: string;
}

/** What a consumer has not handled yet. */
export interface EventLag {
  /** Stores that wait; the test and the live mode of a store count apart. */
  readonly partitions: number;
  /** Events that wait. Those pruned before the consumer came to them count too. */
  readonly events: number;
  /** When the oldest event that waits was written, RFC 3339 in UTC; null without any. */
  readonly oldest_created_at: string | null;
}

/** Measures how far a consumer lies behind. */
export async function eventLag(
  store: ConsumerStore,
  { consumer, store_id }: LagOptions,
): Promise<EventLag> {
  const { oldest_created_at: oldest, ...lag } = await store.lag(consumer, store_id ?? null);
  return { ...lag, oldest_created_at: oldest === null ? null : new Date(oldest).toISOString() };
}
