import { sql } from "kysely";
import type { Partition } from "../../../../src/rules/records.ts";
import type { StatChange } from "../../../../src/rules/stats.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";

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
 * Adds to the numbers of a store, which come in the order of `mergeStats`. It is the
 * last statement of a step: all that happens to a store in one hour shares these rows,
 * and a step that has locked them waits for nothing more.
 */
export function statsWriter({ db, dialect }: SqlEngine) {
  // SQLite needs the condition: without one, it takes `on conflict` for a join's.
  const add = prepareRaw<unknown>(
    db,
    (param) => sql`
    insert into ${sql.table("hourly_stats")} as s
      (store_id, livemode, hour, kind, currency, count, amount)
    select ${param("store_id")}, cast(${param("livemode")} as integer),
      g.hour, g.kind, g.currency, g.count, g.amount
    from ${dialect.jsonTable("g", param("changes"), columns)}
    where 1 = 1 ${addUpStats}`,
  );

  return function* addStats(
    partition: Partition,
    changes: readonly StatChange[],
  ): QueryGenerator<void> {
    if (changes.length === 0) return;

    yield* many(add({ ...partitionColumns(partition), changes: JSON.stringify(changes) }));
  };
}
