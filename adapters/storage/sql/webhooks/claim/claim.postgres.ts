import { type RawBuilder, sql } from "kysely";
import { compareTurns } from "#core/rules/webhooks/claim-turns.ts";
import type { Claim, Claimed } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { type Param, prepareRaw } from "../../engine/queries.ts";
import { eventOf } from "../event-of.ts";
import { type LeasedRow, leasedText, notLeasedText } from "../rows.ts";
import { writeStatement } from "../write-statement.ts";
import { type EndpointJumps, type EndpointLook, lookedTables, maxEndpoints } from "./claim-look.ts";
import { claimResult } from "./claim-result.ts";

/**
 * A row of the statement is an endpoint that it looked at, or a delivery that it
 * leased.
 */
type ClaimRow = (EndpointLook & { readonly event_id: null }) | (EndpointLook & LeasedRow);

/**
 * One statement looks and leases. A second step follows only when something must be
 * skipped.
 */
export function claimOnPostgres(engine: SqlEngine): (claim: Claim) => Promise<Claimed> {
  const { db, dialect } = engine;
  const { dueEndpoints, finish } = claimResult(engine);
  const lookAndLease = prepareRaw<ClaimRow>(db, (param) => {
    const quotas = dialect.jsonTable("g", param("quotas"), { id: "text", quota: "bigint" });
    return claimText(param, quotas);
  });
  const run = writeStatement(engine);

  return async (claim) => {
    const { quota_by_endpoint, after_endpoint, ...values } = claim;
    const from = after_endpoint ?? "";
    const quotas = JSON.stringify(
      Object.entries(quota_by_endpoint).map(([id, quota]) => ({ id, quota })),
    );
    const found = await run(() => lookAndLease({ ...values, from, quotas }));

    const looks: EndpointLook[] = [];
    const rows: LeasedRow[] = [];
    for (const row of found) {
      if (row.event_id === null) looks.push(row);
      else rows.push(row);
    }
    looks.sort((a, b) => compareTurns(from, a.endpoint_id, b.endpoint_id));

    const steps = () => finish({ looks, due: dueEndpoints(looks, claim), rows }, claim);
    const first = steps().next([]); // It ends at once when there is nothing to skip.
    return first.done ? first.value : engine.write(steps);
  };
}

// It sorts by endpoint first: by `due_at` alone the other index, which holds
// everybody's rows, can look as cheap to the planner. The bounds stand as
// subqueries, whose values it does not know, so that it assumes a narrow range of
// this index. Every id is ASCII and sorts below "~".
const firstAfter = (endpoint_id: RawBuilder<unknown>) => sql`
  select d.endpoint_id, d.due_at from ${sql.table("deliveries")} as d
  where d.state = 'pending'
    and d.endpoint_id > (select ${endpoint_id}) and d.endpoint_id < (select '~')
  order by d.endpoint_id, d.due_at limit 1`;

const jumps: EndpointJumps = {
  columns: sql`endpoint_id, due_at`,
  firstDue: sql`c.due_at`,
  table: (name, from, condition) => {
    const self = sql.ref(name);
    return sql`${self}(endpoint_id, due_at, n) as (
      select f.endpoint_id, f.due_at, 1 from (${firstAfter(from)}) as f where ${condition}
      union all
      select f.endpoint_id, f.due_at, n + 1 from ${self}
      cross join lateral (${firstAfter(sql.ref(`${name}.endpoint_id`))}) as f
      where n < ${sql.lit(maxEndpoints)}
    )`;
  },
};

/**
 * The update names its rows by `ctid` and does not repeat that they are pending: by
 * statistics of an hour when nothing was pending, the whole partial index would
 * look cheaper than the row's key.
 */
function claimText(param: Param, quotas: RawBuilder<unknown>) {
  const deliveries = sql.table("deliveries");

  return sql<ClaimRow>`
    with recursive ${lookedTables(jumps, param)}, picked as materialized (
      select d.ctid
      from (
        select l.endpoint_id,
          greatest(coalesce(g.quota, ${param("per_endpoint")}), 0) as quota
        from looked as l
        left join ${quotas} on g.id = l.endpoint_id
        where l.endpoint_state = 'enabled'
        order by l.endpoint_id <= ${param("from")}, l.endpoint_id
      ) as r
      cross join lateral (
        select ctid from ${deliveries}
        where state = 'pending' and endpoint_id >= r.endpoint_id
          and (endpoint_id, due_at) <= (r.endpoint_id, ${param("now")})
        order by endpoint_id, due_at limit r.quota for update skip locked
      ) as d
      limit (select cast(${param("limit")} as bigint))
    ), leased as (
      update ${deliveries} as d
      set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
        lost_leases = case when d.lease_token is null then d.lost_leases
          else d.lost_leases + 1 end
      where d.ctid = any(array(select ctid from picked))
      returning d.*
    )
    select endpoint_id, due_at, endpoint_state, record, ${notLeasedText}, null as body
    from looked
    union all
    select l.endpoint_id, l.due_at, null, null, ${leasedText}, e.body
    from leased as l
    left join lateral (${eventOf(sql`l`)}) as e on true`;
}
