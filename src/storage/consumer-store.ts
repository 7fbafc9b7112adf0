import type { EventRecord, Partition } from "../rules/records.ts";

/** A consumer asks for events that it has not handled. */
export interface ConsumerClaim {
  readonly consumer: string;
  /** Null: the consumer reads the events of all stores. */
  readonly store_id: string | null;
  readonly now: number;
  readonly lease_until: number;
  readonly lease_token: string;
  /** At most this many events come with the claim. */
  readonly limit: number;
}

/** New events of one store and mode, under a lease. */
export interface ConsumerWork extends Partition {
  /** Oldest first. Pruned events are left out. */
  readonly events: readonly EventRecord[];
  /** The cursor's place once these events are handled: pruned ones count as handled. */
  readonly last_sequence: number;
  /** How often the consumer failed here in a row. */
  readonly failures: number;
}

/**
 * The cursor of a consumer in one store and mode, and the lease under which it is
 * held.
 */
export interface ConsumerCursor extends Partition {
  readonly consumer: string;
  readonly lease_token: string;
}

/** What a consumer has not handled yet. */
export interface ConsumerLag {
  /** Stores and modes with events after the consumer's cursor. */
  readonly partitions: number;
  /** Events after the cursors. Those pruned before the consumer came to them count too. */
  readonly events: number;
  /** When the oldest of those that are kept was written; null without any. */
  readonly oldest_created_at: number | null;
}

/**
 * How far the host's own consumers of events have come (`consumeEvents`): each has
 * one cursor for a store and mode.
 */
export interface ConsumerStore {
  /**
   * Leases a store and mode that has events after the consumer's cursor. Null when
   * there is none, or others have leased them all. A new consumer begins at the
   * first event that is kept.
   */
  claimEvents(claim: ConsumerClaim): Promise<ConsumerWork | null>;
  /**
   * Moves the cursor and prolongs the lease until `leased_until`. False when
   * another process has taken the lease over.
   */
  advance(cursor: ConsumerCursor, sequence: number, leased_until: number): Promise<boolean>;
  /** Ends the lease. Nobody can lease the cursor again before `retry_at`. */
  release(
    cursor: ConsumerCursor,
    release: { readonly failures: number; readonly retry_at: number },
  ): Promise<void>;
  /** What lies after the consumer's cursors, in one store or, with null, in all. */
  lag(consumer: string, store_id: string | null): Promise<ConsumerLag>;
}
