import { settleOutcomeOf } from "#core/rules/webhooks/deliveries.ts";
import type { DeliveryKey, Settled, Settlement } from "#core/rules/webhooks/webhook-records.ts";
import { settlementsOfHealth } from "#core/rules/webhooks/worker-lost.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import type { QueryGenerator } from "../../engine/queries.ts";
import { judgeEndpointsStep } from "./endpoint-health.ts";
import type { SettledRow } from "./settle-statements.ts";

/** Updates the deliveries of a batch, inserts their attempts, and counts these attempts. */
export type RecordBatch = (
  settlements: readonly Settlement[],
  now: number,
) => QueryGenerator<readonly SettledRow[]>;

export type SettleDeliveries = (
  settlements: readonly Settlement[],
  now: number,
) => Promise<Settled>;

export const keyOf = ({ store_id, endpoint_id, event_id }: DeliveryKey): string =>
  `${store_id} ${endpoint_id} ${event_id}`;

/** Gives the settlements of endpoints of which none failed in this batch. */
export function withoutFailures(settlements: readonly Settlement[]): readonly Settlement[] {
  const failed = settlements.filter(({ delivered }) => !delivered);
  const failedEndpoints = new Set(failed.map(({ endpoint_id }) => endpoint_id));
  return settlements.filter(({ endpoint_id }) => !failedEndpoints.has(endpoint_id));
}

/**
 * Settles a batch of any size by a few statements. It locks the deliveries first,
 * then the rows of the hours in which they count (by key), then their endpoints (by
 * id).
 */
export function settleBatchStep(
  engine: SqlEngine,
  recordBatch: RecordBatch,
  judgeEndpoints = judgeEndpointsStep(engine),
) {
  return function* settleBatch(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<Settled> {
    const rows = yield* recordBatch(settlements, now);
    const states = new Map(rows.map((row) => [keyOf(row), row.state]));
    const outcomes = settlements.map((settlement) =>
      settleOutcomeOf(settlement, states.get(keyOf(settlement))),
    );

    const counted = settlementsOfHealth(settlements, outcomes);
    const disabled = counted.length === 0 ? [] : yield* judgeEndpoints(counted, now);
    return { outcomes, disabled };
  };
}
