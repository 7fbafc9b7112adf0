import type { Partition } from "../rules/records.ts";
import type { StatChange } from "../rules/stats.ts";

export interface StatsQuery extends Partition {
  /** The first hour, in epoch milliseconds. */
  readonly from: number;
  /** The hour behind the last one. */
  readonly to: number;
}

/**
 * From when on everything is counted, in epoch milliseconds; null: from the beginning.
 * Rows of an older version are counted later, the newest first, so that the times move
 * back.
 */
export interface CompleteFrom {
  readonly orders: number | null;
  readonly sessions: number | null;
  readonly deliveries: number | null;
}

export interface CountedHours {
  /** In any order: the rows of one kind, currency and hour add up. */
  readonly rows: readonly StatChange[];
  readonly complete_from: CompleteFrom;
}

/**
 * Numbers by the hour. The steps on orders and the settlements of deliveries write
 * them, each in its own transaction. The other methods are for maintenance: each does
 * a bounded part, counts everything once, whichever processes share the work and
 * wherever one of them dies, and gives how much it did: 0 when nothing is left.
 */
export interface StatsStore {
  /** The sessions of hours that are not rolled up are counted as they stand. */
  listHours(query: StatsQuery): Promise<CountedHours>;
  /** Counts orders that an older version wrote, at most `limit`. */
  countOrders(limit: number): Promise<number>;
  /** Counts attempts to deliver that an older version wrote, at most `limit`. */
  countDeliveries(limit: number): Promise<number>;
  /**
   * Counts the sessions of hours that are over, of at most `limit` stores and modes.
   * `purge` deletes no session before it is counted.
   */
  rollUpSessions(now: number, limit: number): Promise<number>;
}
