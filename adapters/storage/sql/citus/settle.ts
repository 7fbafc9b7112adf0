import { sql } from "kysely";
import type {
  DeliveryKey,
  Settled,
  Settlement,
  SettleOutcome,
} from "../../../../src/rules/webhook-records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { settledCounter } from "../webhooks/count-settled.ts";
import { judgeEndpointsStep } from "../webhooks/endpoint-health.ts";
import { keyOf, type SettleDeliveries, settleBatchStep } from "../webhooks/settle-batch.ts";
import {
  attemptColumns,
  logColumns,
  type SettledRow,
  settlementList,
  updateDeliveries,
} from "../webhooks/settle-statements.ts";
import { atOnce, byStore } from "./at-once.ts";

/** One transaction for each store, on its own shard. */
export function settleOnCitus(engine: SqlEngine): SettleDeliveries {
  const ofStore = (param: Param) => sql`e.store_id = ${param("store_id")}`;
  const settleBatch = settleBatchStep(
    engine,
    recordStep(engine),
    judgeEndpointsStep(engine, ofStore),
  );

  return async (settlements, now): Promise<Settled> => {
    const outcomes = new Map<Settlement, SettleOutcome>();
    const disabled: string[] = [];
    await atOnce([...byStore(settlements).values()], async (batch) => {
      const settled = await engine.write(() => settleBatch(batch, now));
      for (const [index, settlement] of batch.entries())
        outcomes.set(settlement, settled.outcomes[index] ?? "lease_lost");
      disabled.push(...settled.disabled);
    });

    return {
      outcomes: settlements.map((settlement) => outcomes.get(settlement) ?? "lease_lost"),
      disabled,
    };
  };
}

/**
 * Updates the deliveries of one store, then inserts their attempts from the rows
 * themselves, and counts them.
 */
function recordStep(engine: SqlEngine) {
  const { db, dialect } = engine;
  const countSettled = settledCounter(engine);
  const update = prepareRaw<SettledRow>(db, (param) =>
    updateDeliveries(dialect, param, sql`d.store_id = ${param("store_id")}`),
  );
  const attempts = {
    endpoint_id: "text",
    event_id: "text",
    attempt: "bigint",
    ...logColumns,
  } as const;
  const insertAttempts = prepareRaw<unknown>(
    db,
    (param) => sql`
    insert into ${sql.table("delivery_attempts")} (${attemptColumns})
    select d.store_id, d.endpoint_id, d.event_id, g.attempt,
      g.started_at, g.duration_ms, g.status, g.error, g.snippet, 1
    from ${sql.table("deliveries")} as d
    join ${dialect.jsonTable("g", param("attempts"), attempts)}
      on d.endpoint_id = g.endpoint_id and d.event_id = g.event_id
    where d.store_id = ${param("store_id")}`,
  );

  return function* record(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly SettledRow[]> {
    const store_id = settlements[0]?.store_id;
    const rows = yield* many(update({ store_id, settlements: settlementList(settlements), now }));
    if (rows.length === 0) return rows;

    const logs = new Map(settlements.map((settlement) => [keyOf(settlement), settlement.log]));
    const numbered = rows.map((row) => {
      const { endpoint_id, event_id, attempts: attempt } = row;
      return { endpoint_id, event_id, attempt, ...logs.get(keyOf(row)) };
    });
    yield* many(insertAttempts({ store_id, attempts: JSON.stringify(numbered) }));
    yield* countSettled(rows, logs);
    return rows;
  };
}

/** Ends the leases of deliveries that were not sent, one statement for each store. */
export function releaseOnCitus(engine: SqlEngine) {
  const update = prepareRaw<unknown>(
    engine.db,
    (param) => sql`
    update ${sql.table("deliveries")} as d set due_at = ${param("now")}, lease_token = null
    from ${engine.dialect.jsonTable("g", param("keys"), { endpoint_id: "text", event_id: "text" })}
    where d.store_id = ${param("store_id")} and d.endpoint_id = g.endpoint_id
      and d.event_id = g.event_id and d.lease_token = ${param("lease_token")}`,
  );

  return async (keys: readonly DeliveryKey[], lease_token: string, now: number): Promise<void> => {
    await atOnce([...byStore(keys)], ([store_id, ofStore]) => {
      const values = { store_id, keys: JSON.stringify(ofStore), lease_token, now };
      return engine.write(() => many(update(values)));
    });
  };
}
