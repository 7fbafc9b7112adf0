import { sql } from "kysely";
import type { Claim, Claimed, ClaimedDelivery, EndpointRecord } from "../../../src/storage/webhook-store.ts";
import type { SqlEngine } from "./engine.ts";
import { fromJson } from "./json.ts";
import { many, prepareRaw, type Step } from "./step.ts";
import type { DeliveryRow } from "./webhook-rows.ts";

/** Endpoints looked at in one claim; the rest come first the next time. */
const maxEndpoints = 256;
const skipChunk = 1_000;

interface Seen {
  readonly endpoint_id: string;
  readonly due_at: number;
  /** Null: not due, or deleted. */
  readonly state: string | null;
  readonly record: string | null;
}
type LeasedRow = DeliveryRow & { readonly body: string | null };
interface Target {
  readonly endpoint: EndpointRecord;
  readonly room: number;
}

/**
 * A few due rows of each endpoint, by an index jump from one endpoint to the next: one endpoint's queue, however long, is never walked through.
 * `'pending'` stands in the text, for a partial index is not found by a parameter.
 */
export function claimSteps(engine: SqlEngine) {
  const { db, dialect } = engine;
  const deliveries = sql.table("deliveries");
  const jump = prepareRaw<Seen>(
    db,
    (place) => sql`
    with recursive seen(endpoint_id, n) as (
      select (select min(d.endpoint_id) from ${deliveries} as d where d.state = 'pending' and d.endpoint_id > ${place("from")}), 1
      union all
      select (select min(d.endpoint_id) from ${deliveries} as d where d.state = 'pending' and d.endpoint_id > seen.endpoint_id), seen.n + 1
      from seen where seen.endpoint_id is not null and seen.n < ${sql.lit(maxEndpoints)}
    ), next as materialized (
      select seen.endpoint_id as endpoint_id,
        (select min(d.due_at) from ${deliveries} as d where d.state = 'pending' and d.endpoint_id = seen.endpoint_id) as due_at
      from seen where seen.endpoint_id is not null
    )
    select next.endpoint_id, next.due_at, e.state, e.record from next
    left join ${sql.table("webhook_endpoints")} as e on e.id = next.endpoint_id and next.due_at <= ${place("now")}
    order by next.endpoint_id`,
  );
  const skip = prepareRaw<{ event_id: string }>(
    db,
    (place) => sql`
    with picked(store, endpoint, event) as materialized (
      select store_id, endpoint_id, event_id from ${deliveries}
      where state = 'pending' and endpoint_id = ${place("endpoint_id")} order by due_at limit ${place("limit")} ${dialect.skipLockedText}
    )
    update ${deliveries} as d set state = 'skipped', lease_token = null, lost_leases = 0, resume_state = null, resume_due = null, updated_at = ${place("now")}
    from picked as p where d.store_id = p.store and d.endpoint_id = p.endpoint and d.event_id = p.event and d.state = 'pending'
      and not exists (select 1 from ${sql.table("webhook_endpoints")} as e where e.id = d.endpoint_id and e.state = 'enabled')
    returning event_id`,
  );
  const leaseTogether = prepareRaw<LeasedRow>(
    db,
    (place) => sql`
    with picked as materialized (
      select d.store_id, d.endpoint_id, d.event_id
      from (select * from ${dialect.rows("r", place("targets"), { n: "bigint", endpoint_id: "text", room: "bigint" })} order by n) as r
      cross join lateral (
        select store_id, endpoint_id, event_id from ${deliveries}
        where state = 'pending' and endpoint_id = r.endpoint_id and due_at <= ${place("now")}
        order by due_at limit r.room for update skip locked
      ) as d
      limit ${place("limit")}
    ), leased as (
    update ${deliveries} as d set due_at = ${place("lease_until")}, lease_token = ${place("lease_token")},
      lost_leases = case when d.lease_token is null then d.lost_leases else d.lost_leases + 1 end
    from picked as p where d.store_id = p.store_id and d.endpoint_id = p.endpoint_id and d.event_id = p.event_id and d.state = 'pending'
    returning d.*
    )
    select l.*, e.body from leased as l
    left join ${sql.table("events")} as e on e.store_id = l.store_id and e.livemode = l.livemode and e.id = l.event_id`,
  );
  const leaseOne = prepareRaw<DeliveryRow>(
    db,
    (place) => sql`
    update ${deliveries} set due_at = ${place("lease_until")}, lease_token = ${place("lease_token")},
      lost_leases = case when lease_token is null then lost_leases else lost_leases + 1 end
    where rowid in (
      select rowid from ${deliveries} where state = 'pending' and endpoint_id = ${place("endpoint_id")} and due_at <= ${place("now")}
      order by due_at limit ${place("limit")}
    )
    returning *`,
  );
  const bodiesOf = prepareRaw<{ endpoint_id: string; event_id: string; body: string | null }>(
    db,
    (place) => sql`select k.endpoint_id, k.event_id, e.body
      from ${dialect.rows("k", place("keys"), { store_id: "text", livemode: "bigint", endpoint_id: "text", event_id: "text" })}
      join ${sql.table("events")} as e on e.store_id = k.store_id and e.livemode = k.livemode and e.id = k.event_id`,
  );
  const skipThese = prepareRaw<unknown>(
    db,
    (place) => sql`update ${deliveries} as d set state = 'skipped', lease_token = null, updated_at = ${place("now")}
      from ${dialect.rows("k", place("keys"), { store_id: "text", endpoint_id: "text", event_id: "text" })}
      where d.store_id = k.store_id and d.endpoint_id = k.endpoint_id and d.event_id = k.event_id and d.state = 'pending'`,
  );

  function* look({ after_endpoint, now }: Claim): Step<{ seen: readonly Seen[]; complete: boolean }> {
    const from = after_endpoint ?? "";
    const all = yield* many(jump({ from: "", now }));
    const later = all.filter(({ endpoint_id }) => endpoint_id > from);
    const before = all.slice(0, all.length - later.length);
    if (all.length < maxEndpoints) return { seen: [...later, ...before], complete: true };
    if (from === "") return { seen: all, complete: false };
    const after = yield* many(jump({ from, now }));
    return { seen: [...after, ...before].slice(0, maxEndpoints), complete: false };
  }

  function* lease(targets: readonly Target[], claim: Claim): Step<readonly LeasedRow[]> {
    const { now, lease_until, lease_token, limit } = claim;
    if (dialect.nested) {
      const list = targets.map(({ endpoint, room }, n) => ({ n, endpoint_id: endpoint.id, room }));
      return yield* many(leaseTogether({ targets: JSON.stringify(list), now, lease_until, lease_token, limit }));
    }
    const rows: DeliveryRow[] = [];
    for (const { endpoint, room } of targets) {
      if (rows.length >= limit) break;
      const most = Math.min(room, limit - rows.length);
      rows.push(...(yield* many(leaseOne({ endpoint_id: endpoint.id, now, lease_until, lease_token, limit: most }))));
    }
    if (rows.length === 0) return [];
    const keys = rows.map(({ store_id, livemode, endpoint_id, event_id }) => ({ store_id, livemode, endpoint_id, event_id }));
    const bodies = new Map<string, string | null>();
    for (const { endpoint_id, event_id, body } of yield* many(bodiesOf({ keys: JSON.stringify(keys) })))
      bodies.set(`${endpoint_id} ${event_id}`, body);
    return rows.map((row) => Object.assign(row, { body: bodies.get(`${row.endpoint_id} ${row.event_id}`) ?? null }));
  }

  function* complete(rows: readonly LeasedRow[], targets: readonly Target[], now: number): Step<readonly ClaimedDelivery[]> {
    const endpoints = new Map(targets.map(({ endpoint }) => [endpoint.id, endpoint]));
    const claimed: ClaimedDelivery[] = [];
    const empty: DeliveryRow[] = [];
    for (const row of rows) {
      const endpoint = endpoints.get(row.endpoint_id);
      if (!endpoint || row.body === null) empty.push(row);
      else claimed.push(claimedOf(row, endpoint, row.body));
    }
    // Its bytes were pruned while it was made pending again.
    if (empty.length > 0) yield* many(skipThese({ keys: JSON.stringify(empty), now }));
    return claimed.sort((a, b) => a.created_at - b.created_at || (a.event_id < b.event_id ? -1 : 1));
  }

  return {
    *claim(claim: Claim): Step<Claimed> {
      const { seen, complete: sawAll } = yield* look(claim);
      const last = seen.at(-1)?.endpoint_id ?? null;
      let all = sawAll;
      const targets: Target[] = [];
      for (const { endpoint_id, due_at, state, record } of seen) {
        const room = claim.rooms[endpoint_id] ?? claim.per_endpoint;
        if (due_at > claim.now) continue;
        if (state === "enabled" && record !== null) {
          if (room > 0) targets.push({ endpoint: fromJson<EndpointRecord>(record), room });
          continue;
        }
        // Disabled or deleted: rows that were written meanwhile, or that were too many for one step.
        const skipped = yield* many(skip({ endpoint_id, limit: skipChunk, now: claim.now }));
        if (skipped.length === skipChunk) all = false;
      }
      if (targets.length === 0) return { deliveries: [], after_endpoint: all ? claim.after_endpoint : last, complete: all };
      const rows = yield* lease(targets, claim);
      const cut = rows.length >= claim.limit;
      const got = new Set(rows.map(({ endpoint_id }) => endpoint_id));
      const served = targets.filter(({ endpoint }) => got.has(endpoint.id)).at(-1)?.endpoint.id;
      return {
        deliveries: yield* complete(rows, targets, claim.now),
        after_endpoint: (cut ? served : all ? (served ?? claim.after_endpoint) : last) ?? claim.after_endpoint,
        complete: all && !cut,
      };
    },
    *skip(endpoint_id: string, limit: number, now: number): Step<number> {
      return (yield* many(skip({ endpoint_id, limit, now }))).length;
    },
  };
}

/** Field by field: a spread in front would make V8 add the rest one by one, at a microsecond each. */
const claimedOf = (row: LeasedRow, { url, secrets }: Pick<ClaimedDelivery, "url" | "secrets">, body: string): ClaimedDelivery => ({
  store_id: row.store_id,
  livemode: row.livemode === 1,
  endpoint_id: row.endpoint_id,
  event_id: row.event_id,
  event_type: row.event_type,
  state: row.state,
  attempts: row.attempts,
  due_at: row.due_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  failures: row.failures,
  lost_leases: row.lost_leases,
  url,
  secrets,
  body,
});
