import { type RawBuilder, sql } from "kysely";
import type { Partition } from "../../../../src/rules/records.ts";
import type { StatChange } from "../../../../src/rules/stats.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";

const columns = {
  hour: "bigint",
  kind: "text",
  currency: "text",
  count: "bigint",
  amount: "bigint",
} as const;

/** What happens when an hour has a number of this kind and currency already. */
export const addUpStats = sql`
  on conflict (store_id, livemode, hour, kind, currency) do update
  set count = s.count + excluded.count, amount = s.amount + excluded.amount`;

/**
 * The statement that adds to the numbers of a store. In a statement that locks the
 * counters, `counters` is the table that it reads to wait for them.
 */
export const statsWrite =
  (dialect: SqlDialect) =>
  (param: Param, counters: RawBuilder<unknown> | null): RawBuilder<unknown> =>
    // SQLite needs the condition: without one, it takes `on conflict` for a join's.
    sql`
    insert into ${sql.table("hourly_stats")} as s
      (store_id, livemode, hour, kind, currency, count, amount)
    select ${param("store_id")}, cast(${param("livemode")} as integer),
      h.hour, h.kind, h.currency, h.count, h.amount
    from ${counters ? sql`${counters} cross join` : sql``}
      ${dialect.jsonTable("h", param("changes"), columns)}
    where 1 = 1 ${addUpStats}`;

/** The values of `statsWrite` for a step; null when it adds nothing. */
export const addedStats = (changes: readonly StatChange[]) =>
  changes.length === 0 ? null : { changes: JSON.stringify(changes) };

/**
 * Adds to the numbers of a store, which come in the order of `mergeStats`. It is the
 * last statement of a step: all that happens to a store in one hour shares these rows,
 * and a step that has locked them waits for nothing more.
 */
export function statsWriter({ db, dialect }: SqlEngine) {
  const add = prepareRaw<unknown>(db, (param) => statsWrite(dialect)(param, null));

  return function* addStats(
    partition: Partition,
    changes: readonly StatChange[],
  ): QueryGenerator<void> {
    const added = addedStats(changes);
    if (added) yield* many(add({ ...partitionColumns(partition), ...added }));
  };
}
