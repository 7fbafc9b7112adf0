import type { ComparedSale, PaidSpan } from "../../rules/owner/sales.ts";
import type { StatChange } from "../../rules/owner/stats.ts";
import type { Partition } from "../../rules/records.ts";
import type { SubscriptionSum } from "../../rules/subscriptions/subscription-sums.ts";

/** A range of hours in one store and mode. */
export interface StatsQuery extends Partition {
  /** The first hour, in epoch milliseconds. */
  readonly from: number;
  /** The hour behind the last one. */
  readonly to: number;
  /**
   * The intervals of the caller begin at these hours, `from` first, in ascending
   * order. The storage may add up the rows of an interval to one row of its first
   * hour. It may also ignore the field: then the caller adds them up.
   */
  readonly starts?: readonly number[];
  /**
   * Asks for the sales by product, channel and customers, and not for the numbers by the hour.
   * They are compared with the hours between `before` and `from`. Of each kind and currency, the
   * `top` with the most pieces and those with the most money are given: a product that was sold
   * before `from` alone is none of them.
   */
  readonly sales?: { readonly before: number; readonly top: number };
}

/** The sales of a store in any order, and the time from which on they are complete. */
export interface CountedSales {
  readonly rows: readonly ComparedSale[];
  /** The same as in `CompleteFrom`. */
  readonly complete_from: number | null;
  /**
   * The span of the payments whose sales outlive a removal of their orders. It only grows. Null
   * when all sales do.
   */
  readonly kept: PaidSpan | null;
}

/**
 * Everything is counted from these times on, in epoch milliseconds. Null means from
 * the beginning. Rows of an older version are counted later, the newest first, so
 * these times move back.
 */
export interface CompleteFrom {
  readonly orders: number | null;
  readonly sessions: number | null;
  readonly deliveries: number | null;
}

/** The numbers of a range of hours, and the times from which on they are complete. */
export interface CountedHours {
  /** The rows are in any order: those of one kind, currency and hour are added up. */
  readonly rows: readonly StatChange[];
  readonly complete_from: CompleteFrom;
  /** The sales, when the query asks for them. Then there are no rows. */
  readonly sales?: CountedSales;
}

/** What maintenance counts for the numbers by the hour. */
export type CountedKind = keyof CompleteFrom | "sales";

/**
 * Keeps numbers by the hour. The steps on orders and the settlements of deliveries
 * write them, each in its own transaction. Maintenance
 * counts the rest: it does a limited part and gives how much it did, which is 0 when
 * nothing is left. Everything is counted once, even if several processes share the work or one
 * of them dies.
 */
export interface StatsStore {
  /**
   * Lists the numbers, or the sales. Sessions and sales that are not rolled up are counted at the
   * time of the call.
   */
  listHours(query: StatsQuery): Promise<CountedHours>;
  /** Adds up the subscriptions that have not ended, by what they are alike in, in any order. */
  sumSubscriptions(partition: Partition): Promise<readonly SubscriptionSum[]>;
  /**
   * Counts at most `limit` orders or delivery attempts that an older version wrote, or the
   * sessions or sales of past hours for at most `limit` stores. `purge` deletes no session before
   * it is counted.
   */
  count(kind: CountedKind, part: { readonly now: number; readonly limit: number }): Promise<number>;
}
