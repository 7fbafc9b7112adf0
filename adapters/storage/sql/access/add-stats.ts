import { type RawBuilder, sql } from "kysely";
import type { StatChange } from "#core/rules/owner/stats.ts";
import type { Partition } from "#core/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { Database, SqlDialect } from "../schema/dialect.ts";
import { statsOnCitus } from "./add-stats.citus.ts";

const columns = {
  hour: "bigint",
  kind: "text",
  currency: "text",
  count: "bigint",
  amount: "bigint",
} as const;

/** Adds to the number when the hour already has one of this kind and currency. */
export const addUpStats = sql`
  on conflict (store_id, livemode, hour, kind, currency) do update
  set count = s.count + excluded.count, amount = s.amount + excluded.amount`;

/**
 * Makes the statement that adds to the numbers of a store. When the same statement
 * locks the counters, it reads the table `counters` so that it waits for them.
 */
export const statsWrite =
  (dialect: SqlDialect) =>
  (param: Param, counters: RawBuilder<unknown> | null): RawBuilder<unknown> =>
    // SQLite needs the condition: without one, it reads `on conflict` as the condition of a join.
    sql`
    insert into ${sql.table("hourly_stats")} as s
      (store_id, livemode, hour, kind, currency, count, amount)
    select ${param("store_id")}, cast(${param("livemode")} as integer),
      h.hour, h.kind, h.currency, h.count, h.amount
    from ${counters ? sql`${counters} cross join` : sql``}
      ${dialect.jsonTable("h", param("changes"), columns)}
    where 1 = 1 ${addUpStats}`;

type AddStats = (partition: Partition, changes: readonly StatChange[]) => QueryGenerator<void>;

/**
 * Adds to the numbers of a store, which come in the order of `mergeStats`. It must
 * be the last statement of a step: everything that happens to a store in one hour
 * writes to the same rows, and a step that holds their locks should not wait for
 * anything else.
 */
export const statsWriter = (engine: SqlEngine): AddStats =>
  algorithms[engine.dialect.database](engine);

function statsFromList({ db, dialect }: SqlEngine): AddStats {
  const add = prepareRaw<unknown>(db, (param) => statsWrite(dialect)(param, null));

  return function* addStats(partition, changes) {
    if (changes.length === 0) return;

    yield* many(add({ ...partitionColumns(partition), changes: JSON.stringify(changes) }));
  };
}

const algorithms = {
  sqlite: statsFromList,
  postgres: statsFromList,
  citus: statsOnCitus,
} as const satisfies Record<Database, (engine: SqlEngine) => AddStats>;
