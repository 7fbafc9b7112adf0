import { mergeStats, statOfDelivery } from "#core/rules/owner/stats.ts";
import type { Settlement } from "#core/rules/webhooks/webhook-records.ts";
import { statsWriter } from "../../access/add-stats.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import type { QueryGenerator } from "../../engine/queries.ts";
import { keyOf } from "./settle-batch.ts";
import type { SettledRow } from "./settle-statements.ts";

/** Counts the attempts that a batch has recorded, by one statement for each store and mode. */
export function settledCounter(engine: SqlEngine) {
  const addStats = statsWriter(engine);

  return function* countSettled(
    rows: readonly SettledRow[],
    logs: ReadonlyMap<string, Settlement["log"]>,
  ): QueryGenerator<void> {
    const partitions = new Map<string, SettledRow[]>();
    for (const row of rows) {
      const name = `${row.store_id}\n${row.livemode}`;
      partitions.set(name, [...(partitions.get(name) ?? []), row]);
    }

    for (const [, ofPartition] of [...partitions].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [first] = ofPartition;
      if (!first) continue;

      const counted = ofPartition.flatMap((row) => {
        const log = logs.get(keyOf(row));
        return log ? [statOfDelivery(log)] : [];
      });
      const partition = { store_id: first.store_id, livemode: first.livemode === 1 };
      yield* addStats(partition, mergeStats(counted));
    }
  };
}
