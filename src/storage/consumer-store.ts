import type { EventRecord, Partition } from "../rules/records.ts";

export interface ConsumerClaim {
  readonly consumer: string;
  /** Null: over all stores. */
  readonly store_id: string | null;
  readonly now: number;
  readonly lease_until: number;
  readonly lease_token: string;
  /** Events to bring along. */
  readonly limit: number;
}

/** One store and mode with news, leased. */
export interface ConsumerWork extends Partition {
  /** Oldest first. Pruned events are passed over. */
  readonly events: readonly EventRecord[];
  /** Sequence of the last event that is seen once these are. */
  readonly last_sequence: number;
  /** Failures in a row so far. */
  readonly failures: number;
}

export interface ConsumerCursor extends Partition {
  readonly consumer: string;
  readonly lease_token: string;
}

/** Where the host's own consumers of events stand: one cursor per consumer, store and mode (CONTRACT 6, `consumeEvents`). */
export interface ConsumerStore {
  /** A store with events behind the consumer's cursor that nobody has leased; null when there is none. A new consumer begins at the first event kept. */
  claimEvents(claim: ConsumerClaim): Promise<ConsumerWork | null>;
  /** Moves the cursor and keeps the lease until `leased_until`. False when another process has taken the lease over. */
  advance(cursor: ConsumerCursor, sequence: number, leased_until: number): Promise<boolean>;
  /** Ends the lease; `retry_at` in the future keeps everybody away until then. */
  release(
    cursor: ConsumerCursor,
    release: { readonly failures: number; readonly retry_at: number },
  ): Promise<void>;
}
