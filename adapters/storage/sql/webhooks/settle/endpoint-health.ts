import { type RawBuilder, sql } from "kysely";
import type { AlertRecord } from "#core/rules/records.ts";
import {
  type EndpointHealth,
  type HealthDecision,
  judgeEndpoint,
} from "#core/rules/webhooks/health.ts";
import type { EndpointRecord, Settlement } from "#core/rules/webhooks/webhook-records.ts";
import { insertAlert } from "../../access/alerts.ts";
import { fromJson, partitionColumns, toBool } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";

interface HealthRow {
  readonly id: string;
  readonly record: string;
  readonly failing_since: number | null;
  readonly failed_attempts: number;
  readonly failed_event: string | null;
  readonly several_events: 0 | 1;
  readonly warned: 0 | 1;
}

const updateColumns = {
  endpoint: "text",
  new_state: "text",
  new_record: "text",
  since: "bigint",
  attempts: "bigint",
  first_event: "text",
  several: "bigint",
  told: "bigint",
} as const;

/** Makes a condition on the endpoints `e`. The parameter `stores` names the settlements' stores. */
type Scope = (param: Param) => RawBuilder<unknown>;

/** Records what a batch says about its endpoints, and gives the ids of those that it disables. */
export function judgeEndpointsStep(engine: SqlEngine, isInScope: Scope = () => sql`1 = 1`) {
  const { findConcerned, updateHealth } = healthStatements(engine, isInScope);

  return function* judgeEndpoints(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly string[]> {
    const stores = [...new Set(settlements.map(({ store_id }) => store_id))];
    const byEndpoint = groupByEndpoint(settlements);
    const ids = [...byEndpoint].map(([id, ofEndpoint]) => ({
      id,
      failed: toBool(ofEndpoint.some(({ delivered }) => !delivered)),
    }));
    const rows = yield* many(findConcerned({ stores, ids: JSON.stringify(ids) }));
    if (rows.length === 0) return [];

    const judged = rows.map((row) => {
      const endpoint = fromJson<EndpointRecord>(row.record);
      return { row, ...judgeEndpoint(endpoint, healthOf(row), byEndpoint.get(row.id) ?? [], now) };
    });
    const changes = JSON.stringify(judged.map(changeOf));
    yield* many(updateHealth({ stores, changes }));
    for (const { alert } of judged) if (alert) yield* raiseAlert(engine, alert, now);

    return judged.filter(({ isDisabled }) => isDisabled).map(({ row }) => row.id);
  };
}

function groupByEndpoint(settlements: readonly Settlement[]): ReadonlyMap<string, Settlement[]> {
  const byEndpoint = new Map<string, Settlement[]>();
  for (const settlement of settlements) {
    const ofEndpoint = byEndpoint.get(settlement.endpoint_id);
    if (ofEndpoint) ofEndpoint.push(settlement);
    else byEndpoint.set(settlement.endpoint_id, [settlement]);
  }
  return byEndpoint;
}

function healthStatements({ db, dialect }: SqlEngine, isInScope: Scope) {
  const endpoints = sql.table("webhook_endpoints");

  return {
    /** Locks the enabled endpoints whose health these outcomes change, by id. */
    findConcerned: prepareRaw<HealthRow>(
      db,
      (param) => sql`
      select e.id, e.record, e.failing_since, e.failed_attempts, e.failed_event,
        e.several_events, e.warned
      from ${dialect.jsonTable("k", param("ids"), { id: "text", failed: "bigint" })}
      join ${endpoints} as e on e.id = k.id
      where e.state = 'enabled' and (k.failed = 1 or e.failing_since is not null)
        and ${isInScope(param)}
      order by e.id ${dialect.lockText("e")}`,
    ),
    updateHealth: prepareRaw<unknown>(
      db,
      (param) => sql`
      update ${endpoints} as e
      set state = g.new_state, record = g.new_record, failing_since = g.since,
        failed_attempts = g.attempts, failed_event = g.first_event,
        several_events = g.several, warned = g.told
      from ${dialect.jsonTable("g", param("changes"), updateColumns)}
      where e.id = g.endpoint and ${isInScope(param)}`,
    ),
  };
}

const healthOf = (row: HealthRow): EndpointHealth => ({
  failing_since: row.failing_since,
  failed_attempts: row.failed_attempts,
  failed_event: row.failed_event,
  several_events: row.several_events === 1,
  warned: row.warned === 1,
});

const changeOf = ({
  row,
  endpoint,
  health,
  isDisabled,
}: HealthDecision & { readonly row: HealthRow }) => ({
  endpoint: row.id,
  new_state: isDisabled ? "disabled" : "enabled",
  new_record: isDisabled ? JSON.stringify(endpoint) : row.record,
  since: health.failing_since,
  attempts: health.failed_attempts,
  first_event: health.failed_event,
  several: toBool(health.several_events),
  told: toBool(health.warned),
});

function* raiseAlert({ db }: SqlEngine, alert: AlertRecord, now: number): QueryGenerator<void> {
  yield* insertAlert(db, alert, now + 1);

  const notice = { ...partitionColumns(alert), alert_id: alert.id, due_at: now };
  yield* many(db.insertInto("alert_notices").values(notice));
}
