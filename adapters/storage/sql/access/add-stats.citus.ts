import type { StatChange } from "#core/rules/owner/stats.ts";
import type { Partition } from "#core/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { rowsInserter } from "../engine/rows-inserter.ts";
import type { Tables } from "../schema/tables.ts";

/**
 * Names each number as values. An insert that selects from a JSON list alone would be
 * run by the coordinator: it sends the rows to all nodes, and commits in two phases.
 */
export function statsOnCitus({ db }: SqlEngine) {
  const insert = rowsInserter<Tables["hourly_stats"]>(
    ["store_id", "livemode", "hour", "kind", "currency", "count", "amount"],
    (rows) =>
      db
        .insertInto("hourly_stats")
        .values([...rows])
        .onConflict((conflict) =>
          conflict
            .columns(["store_id", "livemode", "hour", "kind", "currency"])
            .doUpdateSet((eb) => ({
              count: eb("hourly_stats.count", "+", eb.ref("excluded.count")),
              amount: eb("hourly_stats.amount", "+", eb.ref("excluded.amount")),
            })),
        ),
  );

  return function* addStats(
    partition: Partition,
    changes: readonly StatChange[],
  ): QueryGenerator<void> {
    const columns = partitionColumns(partition);
    yield* insert(changes.map((change) => ({ ...columns, ...change })));
  };
}
