/** What waits in the storage, over all stores and modes. */
export interface StorageGauges {
  /** Deliveries whose next attempt is due; 100,000 stands for that many or more, here and below. */
  readonly webhooks_due: number;
  /** When the first of them became due, epoch milliseconds; null without any. */
  readonly webhooks_due_since: number | null;
  /** When the last attempt to deliver began, epoch milliseconds; null without any. */
  readonly webhooks_last_attempt_at: number | null;
  readonly endpoints_disabled: number;
  /** Payments that gave no result in their time and are still asked about. */
  readonly payments_in_doubt: number;
  /** When the oldest of them was begun, epoch milliseconds; null without any. */
  readonly payments_in_doubt_since: number | null;
  /** Refunds whose result is still asked for. */
  readonly refunds_pending: number;
}

/** Whether the storage fits this version of the package. */
export interface StorageReadiness {
  /**
   * The newest migration that ran on the database (0: none), and the newest that this
   * version knows. Null: the storage has no schema.
   */
  readonly schema: { readonly found: number; readonly known: number } | null;
  /** The database's clock in epoch milliseconds. Null: it has none of its own. */
  readonly clock: number | null;
}

/** What an operator's monitoring asks. No request of a buyer reads it. */
export interface GaugesStore {
  /** Reads by indexes alone, at most 100,000 rows for each number. */
  read(now: number): Promise<StorageGauges>;
  readiness(): Promise<StorageReadiness>;
}
