import { type RawBuilder, sql } from "kysely";
import { compareTurns } from "#core/rules/webhooks/claim-turns.ts";
import type { Claim, Claimed } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { type Param, prepareRaw } from "../../engine/queries.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import { pendingDue } from "../../schema/migrations/0011-0020/0018-next-delivery.ts";
import { eventOf } from "../event-of.ts";
import { type LeasedRow, lastLeasedText, leasedText, notLeasedText } from "../rows.ts";
import { writeStatement } from "../write-statement.ts";
import {
  type EndpointJumps,
  type EndpointLook,
  lookedTable,
  lookedTables,
  maxEndpoints,
} from "./claim-look.ts";
import { claimResult } from "./claim-result.ts";
import { countBlocks } from "./count-blocks.ts";
import { type QueuePlace, QueuePlaces } from "./queue-places.ts";

/**
 * A row of the statement: an endpoint that was looked at, a delivery that was leased, or the place
 * in the queue of an endpoint where its last leased delivery stood.
 */
type ClaimRow =
  | (EndpointLook & { readonly event_id: null; readonly store_id: null })
  | (QueuePlace & { readonly endpoint_id: string; readonly store_id: null })
  | LeasedRow;

/**
 * One statement looks and leases. A second step follows only when something must be
 * skipped.
 */
export function claimOnPostgres(engine: SqlEngine): (claim: Claim) => Promise<Claimed> {
  const { db, dialect } = engine;
  const { dueEndpoints, finish } = claimResult(engine);
  const prepareClaim = (tables: (param: Param) => RawBuilder<unknown>) =>
    prepareRaw<ClaimRow>(db, (param) => {
      const quotas = dialect.jsonTable("g", param("quotas"), { id: "text", quota: "bigint" });
      return claimText(param, { quotas, tables: tables(param) });
    });
  const fromWhole = prepareClaim((param) => lookedTables(jumps, param));
  const fromPlaces = prepareClaim((param) => placesTables(dialect, param));
  const look = prepareRaw<unknown>(
    db,
    (param) => sql`with recursive ${lookedTables(jumps, param)} select count(*) from looked`,
  );
  const run = writeStatement(engine);
  const queues = new QueuePlaces();

  return async (claim) => {
    const { quota_by_endpoint, after_endpoint, ...values } = claim;
    const from = after_endpoint ?? "";
    const quotas = JSON.stringify(
      Object.entries(quota_by_endpoint).map(([id, quota]) => ({ id, quota })),
    );
    const known = queues.find(claim.now);
    const began = performance.now();
    const given = { ...values, from, quotas };
    const found = await run(() =>
      known
        ? fromPlaces({ ...given, places: JSON.stringify(known.places), since: known.since })
        : fromWhole(given),
    );
    const took_ms = performance.now() - began;

    const { looks, rows, last } = sortFound(found);
    looks.sort((a, b) => compareTurns(from, a.endpoint_id, b.endpoint_id));
    queues.note(claim, { looks, rows, last, known });
    if (!known)
      await queues.pace.note({
        now: claim.now,
        took_ms,
        rows: looks.length,
        countBlocks: () => countBlocks(engine, look({ from, now: claim.now })),
      });

    const steps = () => finish({ looks, due: dueEndpoints(looks, claim), rows }, claim);
    const first = steps().next([]); // It ends at once when there is nothing to skip.
    return first.done ? first.value : engine.write(steps);
  };
}

function sortFound(found: readonly ClaimRow[]) {
  const looks: EndpointLook[] = [];
  const rows: LeasedRow[] = [];
  const last = new Map<string, QueuePlace>();
  for (const row of found) {
    if (row.store_id !== null) rows.push(row);
    else if (row.event_id === null) looks.push(row);
    else last.set(row.endpoint_id, row);
  }
  return { looks, rows, last };
}

// It sorts by endpoint first: by `due_at` alone the other index, which holds
// everybody's rows, can look as cheap to the planner. The bounds stand as
// subqueries, whose values it does not know, so that it assumes a narrow range of
// this index. Every id is ASCII and sorts below "~".
const firstAfter = (endpoint_id: RawBuilder<unknown>) => sql`
  select d.endpoint_id, d.due_at, d.event_id from ${sql.table("deliveries")} as d
  where d.state = 'pending'
    and d.endpoint_id > (select ${endpoint_id}) and d.endpoint_id < (select '~')
  order by d.endpoint_id, d.due_at, d.event_id limit 1`;

const jumps: EndpointJumps = {
  columns: sql`endpoint_id, due_at, event_id`,
  first: sql`c.due_at, c.event_id`,
  table: (name, from, condition) => {
    const self = sql.ref(name);
    return sql`${self}(endpoint_id, due_at, event_id, n) as (
      select f.endpoint_id, f.due_at, f.event_id, 1
      from (${firstAfter(from)}) as f where ${condition}
      union all
      select f.endpoint_id, f.due_at, f.event_id, n + 1 from ${self}
      cross join lateral (${firstAfter(sql.ref(`${name}.endpoint_id`))}) as f
      where n < ${sql.lit(maxEndpoints)}
    )`;
  },
};

/**
 * Makes the same table `looked` as a look through all queues, of the endpoints whose places are
 * known and those of deliveries that became due just now.
 */
function placesTables(dialect: SqlDialect, param: Param) {
  const deliveries = sql.table("deliveries");
  const due = sql.raw(pendingDue);
  const places = { id: "text", due_at: "bigint", event_id: "text" } as const;

  return sql`
    known as materialized (
      select k.id, k.due_at, k.event_id from ${dialect.jsonTable("k", param("places"), places)}
    ), fresh as materialized (
      select distinct endpoint_id as id from ${deliveries}
      where (${due}) is not null and (${due}) > ${param("since")} and (${due}) <= ${param("now")}
    ), queues as materialized (
      select id, due_at, event_id from known
      union all
      select id, cast(${param("since")} as bigint), '' from fresh
      where id not in (select id from known)
    ), next as materialized (
      select f.endpoint_id, f.due_at, f.event_id from queues as q
      cross join lateral (
        select d.endpoint_id, d.due_at, d.event_id from ${deliveries} as d
        where d.state = 'pending'
          and (d.endpoint_id, d.due_at, d.event_id) > (q.id, q.due_at, q.event_id)
          and (d.endpoint_id, d.due_at) <= (q.id, ${param("now")})
        order by d.endpoint_id, d.due_at, d.event_id limit 1
      ) as f
      order by f.endpoint_id <= ${param("from")}, f.endpoint_id limit ${sql.lit(maxEndpoints)}
    ), ${lookedTable(param)}`;
}

interface ClaimParts {
  readonly quotas: RawBuilder<unknown>;
  /** The tables that end in `looked`. */
  readonly tables: RawBuilder<unknown>;
}

/**
 * The lease of a queue begins at the delivery that the look found, past the rows that are dead.
 * The update names its rows by `ctid` and does not repeat that they are pending: by
 * statistics of an hour when nothing was pending, the whole partial index would
 * look cheaper than the row's key.
 */
function claimText(param: Param, { quotas, tables }: ClaimParts) {
  const deliveries = sql.table("deliveries");

  return sql<ClaimRow>`
    with recursive ${tables}, picked as materialized (
      select d.*
      from (
        select l.endpoint_id, l.due_at, l.event_id,
          greatest(coalesce(g.quota, ${param("per_endpoint")}), 0) as quota
        from looked as l
        left join ${quotas} on g.id = l.endpoint_id
        where l.endpoint_state = 'enabled'
        order by l.endpoint_id <= ${param("from")}, l.endpoint_id
      ) as r
      cross join lateral (
        select ctid as place, endpoint_id, due_at, event_id from ${deliveries}
        where state = 'pending'
          and (endpoint_id, due_at, event_id) >= (r.endpoint_id, r.due_at, r.event_id)
          and (endpoint_id, due_at) <= (r.endpoint_id, ${param("now")})
        order by endpoint_id, due_at, event_id limit r.quota for update skip locked
      ) as d
      limit (select cast(${param("limit")} as bigint))
    ), leased as (
      update ${deliveries} as d
      set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
        lost_leases = case when d.lease_token is null then d.lost_leases
          else d.lost_leases + 1 end
      where d.ctid = any(array(select place from picked))
      returning d.*
    )
    select endpoint_id, due_at, endpoint_state, record, ${notLeasedText}, null as body
    from looked
    union all
    select l.endpoint_id, l.due_at, null, null, ${leasedText}, e.body
    from leased as l
    left join lateral (${eventOf(sql`l`)}) as e on true
    union all (
      select distinct on (p.endpoint_id)
        p.endpoint_id, p.due_at, null, null, ${lastLeasedText}, null
      from picked as p order by p.endpoint_id, p.due_at desc, p.event_id desc
    )`;
}
