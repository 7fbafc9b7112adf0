import type { AuditAuthor } from "../rules/audit/audit-records.ts";
import type { Erasure } from "../rules/owner/erasure.ts";
import type { Partition } from "../rules/records.ts";

/** What one chunk of an erasure did. */
export interface ErasedChunk {
  /** True when the chunk blanked something. */
  readonly found: boolean;
  /** The next chunk begins here, in words of the storage's own. Null means the end. */
  readonly next: string | null;
}

/** An erasure that began, whose rest nobody is at work on. */
export interface LeftErasure {
  readonly erasure: Omit<Erasure, "now">;
  /** The next chunk begins here. */
  readonly position: string;
}

/** What is left to do for erasures. */
export interface LeftOfErasures {
  /** False while something keeps erased rows besides the tables. */
  readonly is_removed: boolean;
  readonly left: LeftErasure | null;
}

/** Removes from the storage the data of a person or of the test mode. */
export interface PrivacyStore {
  /**
   * Takes a customer out of what the store keeps, in both modes: sessions, stored
   * replies, orders, subscriptions, refunds, disputes, coupon uses, delivery snippets
   * and the bytes of events. Totals that were kept of removed orders are deleted. Amounts, numbers
   * and products stay: they are the books.
   *
   * A call does one chunk in one transaction. The first one, at `null`, also revokes
   * the customer's tokens; each later one goes on at the `next` of the one before. A
   * chunk leaves nothing that a new run would not find, so that after a crash a run
   * from `null` does the rest. Each chunk but the last also stores where the next one goes on,
   * for `finishErasures`.
   */
  eraseChunk(erasure: Erasure, position: string | null): Promise<ErasedChunk>;
  /**
   * Removes erased rows from where the storage keeps them besides its tables, e.g. in a log of
   * writes: maintenance calls it again while something keeps them there. Gives an erasure that
   * has not ended and had no chunk whose `now` is `before` or later.
   */
  finishErasures(before: number): Promise<LeftOfErasures>;
  /** Tells whether the customer of these keys has been erased. */
  isErased(partition: Partition, customer_keys: readonly string[]): Promise<boolean>;
  /**
   * Deletes what test keys made, and gives the test mode the live mode's stock again. That is every
   * row of the test mode but those of API keys, endpoints with their health, alerts with their
   * notices, and the last numbers: uploaded license keys, revocations, cursors of consumers, kept
   * totals and kept sales are deleted too. A step that runs at the same time leaves no rows behind:
   * those that it commits first are deleted, and later it finds none.
   *
   * A call does one chunk in one short transaction, which locks nothing that a live sale
   * waits for. It begins at null, and gives where the next one goes on: null is the end.
   */
  wipeTestChunk(
    store_id: string,
    position: string | null,
    author?: AuditAuthor,
  ): Promise<string | null>;
}
