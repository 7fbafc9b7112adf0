import type { Partition } from "../rules/records.ts";
import type { StatChange } from "../rules/stats.ts";

export interface StatsQuery extends Partition {
  /** The first hour, in epoch milliseconds. */
  readonly from: number;
  /** The hour behind the last one. */
  readonly to: number;
}

export interface CountedHours {
  /** In any order: one row for each kind, currency and hour in which something was counted. */
  readonly rows: readonly StatChange[];
  /**
   * When counting began on this database, in epoch milliseconds: what happened
   * before is in no row. Null: it began with the storage.
   */
  readonly counted_since: number | null;
}

/** Numbers by the hour. The steps on orders write them, each in its own transaction. */
export interface StatsStore {
  listHours(query: StatsQuery): Promise<CountedHours>;
}
