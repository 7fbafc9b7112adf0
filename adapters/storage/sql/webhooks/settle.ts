import { type RawBuilder, sql } from "kysely";
import { diagnose, endpointAlert, failingReason } from "../../../../src/rules/health.ts";
import type { AlertRecord } from "../../../../src/rules/records.ts";
import type {
  DeliveryKey,
  EndpointRecord,
  Settled,
  Settlement,
  SettleOutcome,
} from "../../../../src/rules/webhook-records.ts";
import { insertAlert } from "../access/alerts.ts";
import { fromJson, partitionColumns, toBool } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { DeliveryRow } from "./rows.ts";

type Written = Pick<DeliveryRow, "store_id" | "endpoint_id" | "event_id" | "state" | "attempts">;
interface HealthRow {
  readonly id: string;
  readonly record: string;
  readonly failing_since: number | null;
  readonly failed_attempts: number;
  readonly failed_event: string | null;
  readonly several_events: 0 | 1;
  readonly warned: 0 | 1;
}

const keyOf = ({ store_id, endpoint_id, event_id }: DeliveryKey): string =>
  `${store_id} ${endpoint_id} ${event_id}`;

/** A few statements for a batch of any size. Locks: deliveries, then endpoints by id. */
export function settleDeliveries(engine: SqlEngine) {
  const { db, dialect } = engine;
  const endpoints = sql.table("webhook_endpoints");
  const log = {
    started_at: "bigint",
    duration_ms: "bigint",
    status: "bigint",
    error: "text",
    snippet: "text",
  } as const;
  const given = {
    store: "text",
    endpoint: "text",
    event: "text",
    token: "text",
    taken: "bigint",
    next_due: "bigint",
    ...log,
  } as const;
  const updateText = (param: Param, but: RawBuilder<unknown>) => sql<Written>`
    update ${sql.table("deliveries")} as d set
      state = case when g.taken = 1 then 'delivered' when d.resume_state is not null then d.resume_state
        when g.next_due is null then 'exhausted' else 'pending' end,
      due_at = case when g.taken = 1 then d.due_at when d.resume_state is not null then d.resume_due else coalesce(g.next_due, d.due_at) end,
      failures = case when g.taken = 1 or d.resume_state is not null then d.failures else d.failures + 1 end,
      attempts = d.attempts + 1, lease_token = null, lost_leases = 0, resume_state = null, resume_due = null, updated_at = ${param("now")}
    from ${dialect.jsonTable("g", param("given"), given)}
    where d.store_id = g.store and d.endpoint_id = g.endpoint and d.event_id = g.event
      and ((g.taken = 1 and d.state <> 'delivered') or (g.taken = 0 and d.state = 'pending' and d.lease_token = g.token)) ${but}
    returning store_id, endpoint_id, event_id, state, attempts`;
  const logColumns = sql`store_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, error, snippet`;
  const attemptsTable = sql.table("delivery_attempts");
  const update = prepareRaw<Written>(db, (param) => updateText(param, sql``));
  const updateAndLog = (but: RawBuilder<unknown>) =>
    prepareRaw<Written>(
      db,
      (param) => sql`
    with written as (${updateText(param, but)}, started_at, duration_ms, status, error, snippet),
    logged as (
      insert into ${attemptsTable} (${logColumns})
      select store_id, endpoint_id, event_id, attempts, started_at, duration_ms, status, error, snippet from written
    )
    select store_id, endpoint_id, event_id, state, attempts from written`,
    );
  const settleTogether = updateAndLog(sql``);
  const settleHealthy = updateAndLog(
    sql`and not exists (select 1 from ${endpoints} as e where e.id = g.endpoint and e.state = 'enabled' and e.failing_since is not null)`,
  );
  const insertLogs = prepareRaw<unknown>(
    db,
    (param) => sql`insert into ${attemptsTable} (${logColumns}) select ${logColumns}
      from ${dialect.jsonTable("g", param("logs"), { store_id: "text", endpoint_id: "text", event_id: "text", attempt: "bigint", ...log })}`,
  );
  const ailing = prepareRaw<HealthRow>(
    db,
    (param) => sql`
    select e.id, e.record, e.failing_since, e.failed_attempts, e.failed_event, e.several_events, e.warned
    from ${dialect.jsonTable("k", param("ids"), { id: "text", failed: "bigint" })}
    join ${endpoints} as e on e.id = k.id
    where e.state = 'enabled' and (k.failed = 1 or e.failing_since is not null)
    order by e.id ${dialect.lockText("e")}`,
  );
  const updateHealth = prepareRaw<unknown>(
    db,
    (param) => sql`
    update ${endpoints} as e set state = g.new_state, record = g.new_record, failing_since = g.since, failed_attempts = g.attempts,
      failed_event = g.first_event, several_events = g.several, warned = g.told
    from ${dialect.jsonTable("g", param("given"), {
      endpoint: "text",
      new_state: "text",
      new_record: "text",
      since: "bigint",
      attempts: "bigint",
      first_event: "text",
      several: "bigint",
      told: "bigint",
    })}
    where e.id = g.endpoint`,
  );

  function* write(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly Written[]> {
    const rows = JSON.stringify(settlements.map(givenOf));
    if (dialect.nested) return yield* many(settleTogether({ given: rows, now }));
    const written = yield* many(update({ given: rows, now }));
    const logs = new Map(settlements.map((settlement) => [keyOf(settlement), settlement.log]));
    const numbered = written.map((row) => ({
      store_id: row.store_id,
      endpoint_id: row.endpoint_id,
      event_id: row.event_id,
      attempt: row.attempts,
      ...logs.get(keyOf(row)),
    }));
    if (numbered.length > 0) yield* many(insertLogs({ logs: JSON.stringify(numbered) }));
    return written;
  }

  function* settleEach(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly SettleOutcome[]> {
    const written = new Map((yield* write(settlements, now)).map((row) => [keyOf(row), row]));
    return settlements.map((settlement) => {
      const state = written.get(keyOf(settlement))?.state;
      if (!state) return "lease_lost";
      if (settlement.delivered) return "delivered";
      return state === "pending" ? "rescheduled" : "exhausted";
    });
  }

  /** The endpoints that these outcomes disable. */
  function* judge(
    settlements: readonly Settlement[],
    now: number,
  ): QueryGenerator<readonly string[]> {
    const byEndpoint = new Map<string, Settlement[]>();
    for (const settlement of settlements) {
      const outcomes = byEndpoint.get(settlement.endpoint_id);
      if (outcomes) outcomes.push(settlement);
      else byEndpoint.set(settlement.endpoint_id, [settlement]);
    }
    const ids = [...byEndpoint].map(([id, own]) => ({
      id,
      failed: toBool(own.some(({ delivered }) => !delivered)),
    }));
    const changes: object[] = [];
    const alerts: AlertRecord[] = [];
    const disabled: string[] = [];
    for (const row of yield* many(ailing({ ids: JSON.stringify(ids) }))) {
      const outcomes = byEndpoint.get(row.id) ?? [];
      const before = { ...row, several_events: row.several_events === 1, warned: row.warned === 1 };
      const { health, verdict } = diagnose(before, outcomes, now);
      const endpoint = fromJson<EndpointRecord>(row.record);
      const off = verdict === "disable";
      changes.push({
        endpoint: row.id,
        new_state: off ? "disabled" : "enabled",
        new_record: off
          ? JSON.stringify({ ...endpoint, state: "disabled", disabled_reason: failingReason })
          : row.record,
        since: health.failing_since,
        attempts: health.failed_attempts,
        first_event: health.failed_event,
        several: toBool(health.several_events),
        told: toBool(health.warned),
      });
      if (off) disabled.push(row.id);
      const id = outcomes.find(({ delivered }) => !delivered)?.alert_id;
      if (verdict && id)
        alerts.push(endpointAlert(endpoint, verdict, health, { id, created_at: now }));
    }
    if (changes.length > 0) yield* many(updateHealth({ given: JSON.stringify(changes) }));
    for (const alert of alerts) {
      yield* insertAlert(db, alert, now + 1);
      yield* many(
        db
          .insertInto("alert_notices")
          .values({ ...partitionColumns(alert), alert_id: alert.id, due_at: now }),
      );
    }
    return disabled;
  }

  function* settle(settlements: readonly Settlement[], now: number): QueryGenerator<Settled> {
    const outcomes = yield* settleEach(settlements, now);
    const counted = settlements.filter(
      ({ log }, index) => outcomes[index] !== "lease_lost" && log.error !== "worker_lost",
    );
    const disabled = counted.length === 0 ? [] : yield* judge(counted, now);
    return { outcomes, disabled };
  }

  /** A success of an endpoint that is not failing changes nobody's health: one statement settles all of these. Gives their keys. */
  async function settleOfHealthy(
    writeOne: NonNullable<SqlEngine["writeOne"]>,
    settlements: readonly Settlement[],
    now: number,
  ) {
    const failing = new Set(
      settlements.filter(({ delivered }) => !delivered).map(({ endpoint_id }) => endpoint_id),
    );
    const plain = settlements.filter(({ endpoint_id }) => !failing.has(endpoint_id));
    if (plain.length === 0) return new Set<string>();
    return new Set(
      (await writeOne(() => settleHealthy({ given: JSON.stringify(plain.map(givenOf)), now }))).map(
        keyOf,
      ),
    );
  }

  return async (settlements: readonly Settlement[], now: number): Promise<Settled> => {
    if (settlements.length === 0) return { outcomes: [], disabled: [] };
    const { writeOne } = engine;
    const done =
      dialect.nested && writeOne
        ? await settleOfHealthy(writeOne, settlements, now)
        : new Set<string>();
    const rest =
      done.size === 0
        ? settlements
        : settlements.filter((settlement) => !done.has(keyOf(settlement)));
    if (rest.length === 0) return { outcomes: settlements.map(() => "delivered"), disabled: [] };
    const { outcomes, disabled } = await engine.write(() => settle(rest, now));
    const others = outcomes.values();
    return {
      outcomes: settlements.map((settlement) =>
        done.has(keyOf(settlement)) ? "delivered" : (others.next().value ?? "lease_lost"),
      ),
      disabled,
    };
  };
}

const givenOf = ({
  store_id,
  endpoint_id,
  event_id,
  lease_token,
  delivered,
  due_at,
  log,
}: Settlement) => ({
  store: store_id,
  endpoint: endpoint_id,
  event: event_id,
  token: lease_token,
  taken: toBool(delivered),
  next_due: due_at,
  started_at: log.started_at,
  duration_ms: log.duration_ms,
  status: log.status,
  error: log.error,
  snippet: log.snippet,
});
