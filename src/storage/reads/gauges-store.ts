/** Counts what waits in the storage, over all stores and modes. */
export interface StorageGauges {
  /**
   * The number of deliveries that are pending and due, those to a disabled endpoint too until they
   * are skipped. 100,000 stands for that many or more, here and below.
   */
  readonly webhooks_due: number;
  /** The time at which the first of them became due, in epoch milliseconds. Null without any. */
  readonly webhooks_due_since: number | null;
  /**
   * The time at which the last attempt to deliver began, in epoch milliseconds. Null without any.
   */
  readonly webhooks_last_attempt_at: number | null;
  readonly endpoints_disabled: number;
  /**
   * The number of payments that gave no result in their time and are still asked about: attempts in
   * the state `unknown` with a `check_at`.
   */
  readonly payments_in_doubt: number;
  /** The time at which the oldest of them was begun, in epoch milliseconds. Null without any. */
  readonly payments_in_doubt_since: number | null;
  /** The result of this many refunds is still asked for: they have a `check_at`. */
  readonly refunds_pending: number;
  /**
   * The time at which the oldest work of maintenance was due, in epoch milliseconds. Null means
   * that none is due; work that a run has leased does not count.
   */
  readonly maintenance_due_since: number | null;
  /**
   * The time at which the oldest transaction of the database began, in epoch milliseconds. Null
   * without any, and where the database does not tell.
   */
  readonly oldest_transaction_at: number | null;
  /** The rows of an older version that maintenance has yet to index or count. */
  readonly rows_to_backfill: number;
}

/** Whether the storage fits this version of the package. */
export interface StorageReadiness {
  /**
   * `found` is the newest migration that ran on the database (0: none), and `known`
   * is the newest that this version knows. Null means that the storage has no
   * schema.
   */
  readonly schema: { readonly found: number; readonly known: number } | null;
  /** The database's clock in epoch milliseconds. Null means that it has none of its own. */
  readonly clock: number | null;
  /** Why the storage takes no writes now. Null while it takes them. */
  readonly write_refusal: WriteRefusal | null;
  /**
   * Given where the option `distribute` does not fit the tables, so that every call is refused:
   * how they are.
   */
  readonly misplaced?: "distributed" | "not_distributed";
}

/** A storage that answers reads refuses writes for one of these reasons. */
export type WriteRefusal = "disk_full" | "read_only";

/** Answers an operator's monitoring. No request of a buyer reads it. */
export interface GaugesStore {
  /** Reads by indexes alone, at most 100,000 rows for each number. */
  read(now: number): Promise<StorageGauges>;
  readiness(): Promise<StorageReadiness>;
}
