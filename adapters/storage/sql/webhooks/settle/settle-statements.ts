import { type RawBuilder, sql } from "kysely";
import { statOfDelivery } from "#core/rules/owner/stats.ts";
import type { Settlement } from "#core/rules/webhooks/webhook-records.ts";
import { toBool } from "../../engine/columns.ts";
import type { Param } from "../../engine/queries.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import type { DeliveryRow } from "../rows.ts";

/** A delivery that a settlement changed. */
export type SettledRow = Pick<
  DeliveryRow,
  "store_id" | "livemode" | "endpoint_id" | "event_id" | "state" | "attempts"
>;

export const logColumns = {
  started_at: "bigint",
  duration_ms: "bigint",
  status: "bigint",
  error: "text",
  snippet: "text",
} as const;

const settlementColumns = {
  store: "text",
  endpoint: "text",
  event: "text",
  token: "text",
  taken: "bigint",
  next_due: "bigint",
  stat_hour: "bigint",
  stat_kind: "text",
  ...logColumns,
} as const;

/** The columns of `delivery_attempts`, in the order of the inserts. */
export const attemptColumns = sql`
  store_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, error, snippet,
  in_stats`;

/** Writes the settlements as the JSON list that `updateDeliveries` reads. */
export const settlementList = (settlements: readonly Settlement[]): string =>
  JSON.stringify(
    settlements.map(({ log, ...settlement }) => {
      const { hour, kind } = statOfDelivery(log);
      return {
        store: settlement.store_id,
        endpoint: settlement.endpoint_id,
        event: settlement.event_id,
        token: settlement.lease_token,
        taken: toBool(settlement.delivered),
        next_due: settlement.due_at,
        stat_hour: hour,
        stat_kind: kind,
        started_at: log.started_at,
        duration_ms: log.duration_ms,
        status: log.status,
        error: log.error,
        snippet: log.snippet,
      };
    }),
  );

/** Records a batch by the rule of `settledDelivery` in src/rules/webhooks/deliveries.ts. */
export const updateDeliveries = (
  dialect: SqlDialect,
  param: Param,
  condition: RawBuilder<unknown> = sql`1 = 1`,
) => sql<SettledRow>`
  update ${sql.table("deliveries")} as d set
    state = case
      when g.taken = 1 then 'delivered'
      when d.resume_state is not null then d.resume_state
      when g.next_due is null then 'exhausted'
      else 'pending' end,
    due_at = case
      when g.taken = 1 then d.due_at
      when d.resume_state is not null then d.resume_due
      else coalesce(g.next_due, d.due_at) end,
    failures = case
      when g.taken = 1 or d.resume_state is not null then d.failures
      else d.failures + 1 end,
    attempts = d.attempts + 1, lease_token = null, lost_leases = 0,
    resume_state = null, resume_due = null, updated_at = ${param("now")}
  from ${dialect.jsonTable("g", param("settlements"), settlementColumns)}
  where d.store_id = g.store and d.endpoint_id = g.endpoint and d.event_id = g.event
    and ((g.taken = 1 and d.state <> 'delivered')
      or (g.taken = 0 and d.state = 'pending' and d.lease_token = g.token))
    and ${condition}
  returning store_id, livemode, endpoint_id, event_id, state, attempts`;
