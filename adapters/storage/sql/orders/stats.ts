import { sql } from "kysely";
import type { OrderChanges } from "../../../../src/rules/order-changes.ts";
import type { Partition } from "../../../../src/rules/records.ts";
import { type CountedBefore, statsOf } from "../../../../src/rules/stats.ts";
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

/**
 * Adds what a step changes to the numbers of its store. It is the last statement of
 * the step: all orders of a store in one hour share these rows, and a step that has
 * locked them waits for nothing more.
 */
export function statsWriter({ db, dialect }: SqlEngine) {
  // SQLite needs the condition: without one, it takes `on conflict` for a join's.
  const add = prepareRaw<unknown>(
    db,
    (param) => sql`
    insert into ${sql.table("stats_hours")} as s
      (store_id, livemode, hour, kind, currency, count, amount)
    select ${param("store_id")}, cast(${param("livemode")} as integer),
      g.hour, g.kind, g.currency, g.count, g.amount
    from ${dialect.jsonTable("g", param("changes"), columns)}
    where 1 = 1
    on conflict (store_id, livemode, hour, kind, currency) do update
      set count = s.count + excluded.count, amount = s.amount + excluded.amount`,
  );

  return function* countStats(
    partition: Partition,
    before: CountedBefore,
    changes: OrderChanges,
  ): QueryGenerator<void> {
    const added = statsOf(before, changes);
    if (added.length === 0) return;

    yield* many(add({ ...partitionColumns(partition), changes: JSON.stringify(added) }));
  };
}
