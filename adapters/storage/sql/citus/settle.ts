import { type RawBuilder, sql } from "kysely";
import type {
  DeliveryKey,
  Settled,
  Settlement,
  SettleOutcome,
} from "#core/rules/webhooks/webhook-records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { rowsInserter } from "../engine/rows-inserter.ts";
import type { Tables } from "../schema/tables.ts";
import { settledCounter } from "../webhooks/settle/count-settled.ts";
import { judgeEndpointsStep } from "../webhooks/settle/endpoint-health.ts";
import {
  keyOf,
  type SettleDeliveries,
  settleBatchStep,
  withoutFailures,
} from "../webhooks/settle/settle-batch.ts";
import {
  type SettledRow,
  settlementList,
  updateDeliveries,
} from "../webhooks/settle/settle-statements.ts";
import type { Lanes } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";

/** Settles deliveries in one transaction for each shard. Those of a lost node get no outcome. */
export function settleOnCitus(engine: SqlEngine, lanes: Lanes): SettleDeliveries {
  const settleShard = settleShardStep(engine);

  return async (settlements, now): Promise<Settled> => {
    const outcomes = new Map<Settlement, SettleOutcome | null>();
    const disabled: string[] = [];
    const { failure } = await lanes.writeEach(settlements, async ({ items }) => {
      const settled = await engine.write(() => settleShard(items, now));
      for (const [index, settlement] of items.entries())
        outcomes.set(settlement, settled.outcomes[index] ?? "lease_lost");
      disabled.push(...settled.disabled);
    });

    return {
      outcomes: settlements.map((settlement) => outcomes.get(settlement) ?? null),
      disabled,
      ...(failure === undefined ? {} : { failure }),
    };
  };
}

/**
 * Settles a shard. Successes of endpoints that are not failing come first: they
 * change no health.
 */
function settleShardStep(engine: SqlEngine) {
  const recordHealthy = recordStep(
    engine,
    (param) => sql`${ofShard(param)} and ${isNotFailing(param)}`,
  );
  const ofEndpoints = (param: Param) => sql`e.store_id ${isOfShard(param)}`;
  const settleBatch = settleBatchStep(
    engine,
    recordStep(engine, ofShard),
    judgeEndpointsStep(engine, ofEndpoints),
  );

  return function* settleShard(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<Settled> {
    const healthy = withoutFailures(settlements);
    const rows = healthy.length === 0 ? [] : yield* recordHealthy(healthy, now);
    const settled = new Set(rows.map(keyOf));

    const rest = settlements.filter((settlement) => !settled.has(keyOf(settlement)));
    if (rest.length === 0) return { outcomes: settlements.map(() => "delivered"), disabled: [] };

    const { outcomes, disabled } = yield* settleBatch(rest, now);
    const ofRest = new Map(rest.map((settlement, index) => [settlement, outcomes[index]]));
    return {
      outcomes: settlements.map((settlement) => ofRest.get(settlement) ?? "delivered"),
      disabled,
    };
  };
}

/** Selects a delivery `d` whose endpoint is not failing, where a success changes nothing. */
const isNotFailing = (param: Param) => sql`not exists (
  select 1 from ${sql.table("webhook_endpoints")} as e
  where e.store_id ${isOfShard(param)} and e.store_id = d.store_id and e.id = d.endpoint_id
    and e.state = 'enabled' and e.failing_since is not null
)`;

const ofShard = (param: Param) => sql`d.store_id ${isOfShard(param)}`;

/**
 * Updates the deliveries of a shard, then inserts and counts their attempts.
 */
function recordStep(engine: SqlEngine, condition: (param: Param) => RawBuilder<unknown>) {
  const { db, dialect } = engine;
  const countSettled = settledCounter(engine);
  const update = prepareRaw<SettledRow>(db, (param) =>
    updateDeliveries(dialect, param, condition(param)),
  );
  const insertAttempts = attemptsInserter(engine);

  return function* record(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly SettledRow[]> {
    const stores = [...new Set(settlements.map(({ store_id }) => store_id))];
    const rows = yield* many(update({ stores, settlements: settlementList(settlements), now }));
    if (rows.length === 0) return rows;

    const logs = new Map(settlements.map((settlement) => [keyOf(settlement), settlement.log]));
    yield* insertAttempts(
      rows.flatMap((row) => {
        const log = logs.get(keyOf(row));
        const { store_id, endpoint_id, event_id, attempts: attempt } = row;
        return log ? [{ store_id, endpoint_id, event_id, attempt, ...log }] : [];
      }),
    );
    yield* countSettled(rows, logs);
    return rows;
  };
}

type NewAttempt = Omit<Tables["delivery_attempts"], "in_stats">;

const attemptsInserter = ({ db }: SqlEngine) =>
  rowsInserter<NewAttempt>(
    [
      "store_id",
      "endpoint_id",
      "event_id",
      "attempt",
      "started_at",
      "duration_ms",
      "status",
      "error",
      "snippet",
    ],
    (rows) =>
      db.insertInto("delivery_attempts").values(rows.map((row) => ({ ...row, in_stats: 1 }))),
  );

/** Ends the leases of deliveries that were not sent, by one statement for each shard. */
export function releaseOnCitus(engine: SqlEngine, lanes: Lanes) {
  const columns = { store: "text", endpoint: "text", event: "text" } as const;
  const update = prepareRaw<unknown>(
    engine.db,
    (param) => sql`
    update ${sql.table("deliveries")} as d set due_at = ${param("now")}, lease_token = null
    from ${engine.dialect.jsonTable("g", param("keys"), columns)}
    where ${ofShard(param)} and d.store_id = g.store and d.endpoint_id = g.endpoint
      and d.event_id = g.event and d.lease_token = ${param("lease_token")}`,
  );

  return async (keys: readonly DeliveryKey[], lease_token: string, now: number): Promise<void> => {
    const { failure } = await lanes.writeEach(keys, ({ items, stores }) => {
      const list = items.map(({ store_id, endpoint_id, event_id }) => ({
        store: store_id,
        endpoint: endpoint_id,
        event: event_id,
      }));
      const values = { stores, keys: JSON.stringify(list), lease_token, now };
      return engine.write(() => many(update(values)));
    });
    if (failure !== undefined) throw failure;
  };
}
