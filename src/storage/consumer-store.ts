import type { EventRecord, Partition } from "../rules/records.ts";

/** A consumer asks for events that it has not handled. */
export interface ConsumerClaim {
  readonly consumer: string;
  /** Null means that the consumer reads the events of all stores. */
  readonly store_id: string | null;
  readonly now: number;
  readonly lease_until: number;
  readonly lease_token: string;
  /** At most this many events come with the claim. */
  readonly limit: number;
}

/** New events of one store and mode, under a lease. */
export interface ConsumerWork extends Partition {
  /** The events, the oldest first. Pruned ones are left out: a claim may find only pruned ones. */
  readonly events: readonly EventRecord[];
  /** The cursor's place once these events are handled. Pruned ones count as handled. */
  readonly last_sequence: number;
  /** The consumer failed here this often in a row. */
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
  /** The number of stores and modes that have events after the consumer's cursor. */
  readonly partitions: number;
  /**
   * The number of events after the cursors. Those pruned before the consumer came to them count
   * too.
   */
  readonly events: number;
  /** The oldest of those that are kept was written at this time. It is null without any. */
  readonly oldest_created_at: number | null;
}

/**
 * Keeps how far the host's own consumers of events have come (`consumeEvents`).
 * Each has one cursor for a store and mode.
 */
export interface ConsumerStore {
  /**
   * Leases a store and mode that has events after the consumer's cursor. It gives
   * null when there is none, or others have leased them all. A new consumer begins
   * at the first event that is kept: its cursor is at 0. The store whose lease ended first comes
   * first.
   */
  claimEvents(claim: ConsumerClaim): Promise<ConsumerWork | null>;
  /**
   * Moves the cursor, which never goes back, prolongs the lease until `leased_until`, and sets the
   * failures to 0. It gives false when another process has taken the lease over.
   */
  advance(cursor: ConsumerCursor, sequence: number, leased_until: number): Promise<boolean>;
  /**
   * Ends the lease, if it is still held, and stores the failures. Nobody can lease the cursor again
   * before `retry_at`.
   */
  release(
    cursor: ConsumerCursor,
    release: { readonly failures: number; readonly retry_at: number },
  ): Promise<void>;
  /** Counts what lies after the consumer's cursors, in one store or, with null, in all. */
  lag(consumer: string, store_id: string | null): Promise<ConsumerLag>;
}
