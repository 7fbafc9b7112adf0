import { sql } from "kysely";
import type { Settlement } from "#core/rules/webhooks/webhook-records.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import { settledCounter } from "./count-settled.ts";
import { keyOf, type SettleDeliveries, settleBatchStep } from "./settle-batch.ts";
import {
  attemptColumns,
  logColumns,
  type SettledRow,
  settlementList,
  updateDeliveries,
} from "./settle-statements.ts";

/** Settles the batch in one step, because SQLite has no round trip to save. */
export function settleOnSqlite(engine: SqlEngine): SettleDeliveries {
  const settleBatch = settleBatchStep(engine, recordStep(engine));

  return async (settlements, now) =>
    settlements.length === 0
      ? { outcomes: [], disabled: [] }
      : engine.write(() => settleBatch(settlements, now));
}

/**
 * Updates the deliveries, then inserts their attempts and counts them. These are
 * several statements, because a statement of SQLite writes to one table only.
 */
function recordStep(engine: SqlEngine) {
  const { db, dialect } = engine;
  const countSettled = settledCounter(engine);
  const update = prepareRaw<SettledRow>(db, (param) => updateDeliveries(dialect, param));
  const attempts = {
    store_id: "text",
    endpoint_id: "text",
    event_id: "text",
    attempt: "bigint",
    ...logColumns,
    in_stats: "bigint",
  } as const;
  const insertAttempts = prepareRaw<unknown>(
    db,
    (param) => sql`
    insert into ${sql.table("delivery_attempts")} (${attemptColumns})
    select ${attemptColumns} from ${dialect.jsonTable("g", param("attempts"), attempts)}`,
  );

  return function* record(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly SettledRow[]> {
    const rows = yield* many(update({ settlements: settlementList(settlements), now }));
    if (rows.length === 0) return rows;

    const logs = new Map(settlements.map((settlement) => [keyOf(settlement), settlement.log]));
    const numbered = rows.map((row) => {
      const { store_id, endpoint_id, event_id, attempts: attempt } = row;
      return { store_id, endpoint_id, event_id, attempt, ...logs.get(keyOf(row)), in_stats: 1 };
    });
    yield* many(insertAttempts({ attempts: JSON.stringify(numbered) }));
    yield* countSettled(rows, logs);
    return rows;
  };
}
