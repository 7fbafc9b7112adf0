import { type RawBuilder, sql } from "kysely";
import type { Claim, Claimed } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import type { DeliveryRow, LeasedRow } from "../rows.ts";
import { type EndpointJumps, type EndpointLook, lookedTables, maxEndpoints } from "./claim-look.ts";
import { claimResult, type DueEndpoint } from "./claim-result.ts";

/**
 * One step looks, then leases the rows of each endpoint: in one process statements
 * cost little.
 */
export function claimOnSqlite(engine: SqlEngine): (claim: Claim) => Promise<Claimed> {
  const { db } = engine;
  const { dueEndpoints, finish } = claimResult(engine);
  const leaseEach = leaseEachStep(engine);
  const look = prepareRaw<EndpointLook>(
    db,
    (param) => sql`
    with recursive ${lookedTables(jumps, param)}
    select endpoint_id, due_at, endpoint_state, record from looked`,
  );

  return (claim) =>
    engine.write(function* (): QueryGenerator<Claimed> {
      const from = claim.after_endpoint ?? "";
      const looks = yield* many(look({ from, now: claim.now }));
      const due = dueEndpoints(looks, claim);
      const rows = yield* leaseEach(due, claim);

      return yield* finish({ looks, due, rows }, claim);
    });
}

const nextAfter = (endpoint_id: RawBuilder<unknown>) => sql`(
  select min(d.endpoint_id) from ${sql.table("deliveries")} as d
  where d.state = 'pending' and d.endpoint_id > ${endpoint_id})`;

const jumps: EndpointJumps = {
  columns: sql`endpoint_id`,
  first: sql`(
    select min(d.due_at) from ${sql.table("deliveries")} as d
    where d.state = 'pending' and d.endpoint_id = c.endpoint_id) as due_at`,
  table: (name, from, condition) => {
    const self = sql.ref(name);
    return sql`${self}(endpoint_id, n) as (
      select ${nextAfter(from)}, 1 where ${condition}
      union all
      select ${nextAfter(sql.ref(`${name}.endpoint_id`))}, n + 1 from ${self}
      where endpoint_id is not null and n < ${sql.lit(maxEndpoints)}
    )`;
  },
};

function leaseEachStep({ db, dialect }: SqlEngine) {
  const deliveries = sql.table("deliveries");
  const leaseOf = prepareRaw<DeliveryRow>(
    db,
    (param) => sql`
    update ${deliveries}
    set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
      lost_leases = case when lease_token is null then lost_leases else lost_leases + 1 end
    where rowid in (
      select rowid from ${deliveries}
      where state = 'pending' and endpoint_id = ${param("endpoint_id")}
        and due_at <= ${param("now")}
      order by due_at limit ${param("limit")}
    )
    returning *`,
  );
  const keyColumns = {
    store_id: "text",
    livemode: "bigint",
    endpoint_id: "text",
    event_id: "text",
  } as const;
  const bodiesOf = prepareRaw<{ endpoint_id: string; event_id: string; body: string | null }>(
    db,
    (param) => sql`
    select k.endpoint_id, k.event_id, e.body
    from ${dialect.jsonTable("k", param("keys"), keyColumns)}
    join ${sql.table("events")} as e
      on e.store_id = k.store_id and e.livemode = k.livemode and e.id = k.event_id`,
  );
  const nameOf = (key: { endpoint_id: string; event_id: string }): string =>
    `${key.endpoint_id} ${key.event_id}`;

  /** Leases the oldest due rows of each endpoint in turn, with their bodies. */
  return function* leaseEach(
    endpoints: readonly DueEndpoint[],
    { now, lease_until, lease_token, limit }: Claim,
  ): QueryGenerator<readonly LeasedRow[]> {
    const rows: DeliveryRow[] = [];
    for (const { endpoint_id, quota } of endpoints) {
      if (rows.length >= limit) break;

      const most = Math.min(quota, limit - rows.length);
      const values = { endpoint_id, now, lease_until, lease_token, limit: most };
      rows.push(...(yield* many(leaseOf(values))));
    }
    if (rows.length === 0) return [];

    const keys = rows.map(({ store_id, livemode, endpoint_id, event_id }) => ({
      store_id,
      livemode,
      endpoint_id,
      event_id,
    }));
    const found = yield* many(bodiesOf({ keys: JSON.stringify(keys) }));
    const bodies = new Map(found.map((row) => [nameOf(row), row.body]));
    return rows.map((row) => Object.assign(row, { body: bodies.get(nameOf(row)) ?? null }));
  };
}
