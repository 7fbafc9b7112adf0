import { type RawBuilder, sql } from "kysely";
import type { Settled, Settlement } from "#core/rules/webhooks/webhook-records.ts";
import { addUpStats } from "../../access/add-stats.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw } from "../../engine/queries.ts";
import { writeStatement } from "../write-statement.ts";
import { keyOf, type SettleDeliveries, settleBatchStep, withoutFailures } from "./settle-batch.ts";
import {
  attemptColumns,
  type SettledRow,
  settlementList,
  updateDeliveries,
} from "./settle-statements.ts";

/**
 * One statement settles all successes of endpoints that are not failing: they
 * change nobody's health. What it leaves is settled in a transaction.
 */
export function settleOnPostgres(engine: SqlEngine): SettleDeliveries {
  const settleHealthy = recordStatement(engine, isNotFailing);
  const settleAll = recordStatement(engine, sql`1 = 1`);
  const run = writeStatement(engine);
  const settleBatch = settleBatchStep(engine, (settlements, now) =>
    many(settleAll({ settlements: settlementList(settlements), now })),
  );

  /** Gives the keys of the deliveries that are settled now. */
  async function settleSuccesses(
    settlements: readonly Settlement[],
    now: number,
  ): Promise<ReadonlySet<string>> {
    const successes = withoutFailures(settlements);
    if (successes.length === 0) return new Set();

    const list = settlementList(successes);
    return new Set((await run(() => settleHealthy({ settlements: list, now }))).map(keyOf));
  }

  return async (settlements, now): Promise<Settled> => {
    if (settlements.length === 0) return { outcomes: [], disabled: [] };

    const settled = await settleSuccesses(settlements, now);
    const rest = settlements.filter((settlement) => !settled.has(keyOf(settlement)));
    if (rest.length === 0) return { outcomes: settlements.map(() => "delivered"), disabled: [] };

    const { outcomes, disabled } = await engine.write(() => settleBatch(rest, now));
    const ofRest = outcomes.values();
    return {
      outcomes: settlements.map((settlement) =>
        settled.has(keyOf(settlement)) ? "delivered" : (ofRest.next().value ?? "lease_lost"),
      ),
      disabled,
    };
  };
}

const isNotFailing = sql`not exists (
  select 1 from ${sql.table("webhook_endpoints")} as e
  where e.store_id = g.store and e.id = g.endpoint
    and e.state = 'enabled' and e.failing_since is not null
)`;

/** Updates the deliveries, inserts their attempts, and counts these by the hour. */
const recordStatement = ({ db, dialect }: SqlEngine, condition: RawBuilder<unknown>) =>
  prepareRaw<SettledRow>(
    db,
    (param) => sql`
    with written as (
      ${updateDeliveries(dialect, param, condition)},
        started_at, duration_ms, status, error, snippet, stat_hour, stat_kind
    ), logged as (
      insert into ${sql.table("delivery_attempts")} (${attemptColumns})
      select store_id, endpoint_id, event_id, attempts,
        started_at, duration_ms, status, error, snippet, 1
      from written
    ), counted as (
      insert into ${sql.table("hourly_stats")} as s
        (store_id, livemode, hour, kind, currency, count, amount)
      select store_id, livemode, stat_hour, stat_kind, '', count(*), 0 from written
      group by 1, 2, 3, 4 order by 1, 2, 3, 4 ${addUpStats}
    )
    select store_id, livemode, endpoint_id, event_id, state, attempts from written`,
  );
