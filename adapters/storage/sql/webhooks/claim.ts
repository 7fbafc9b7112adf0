import { type RawBuilder, sql } from "kysely";
import type {
  ClaimedDelivery,
  DeliveryKey,
  EndpointRecord,
} from "../../../../src/rules/webhook-records.ts";
import type { Claim, Claimed } from "../../../../src/storage/webhook-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { DeliveryRow } from "./rows.ts";

/** Endpoints looked at in one claim; the rest come first the next time. */
const maxEndpoints = 256;
const skipChunk = 1_000;

interface Seen {
  readonly endpoint_id: string;
  readonly due_at: number;
  /** Null: not due, or deleted. */
  readonly endpoint_state: string | null;
  readonly record: string | null;
}
type LeasedRow = Pick<
  DeliveryRow,
  | "store_id"
  | "livemode"
  | "endpoint_id"
  | "event_id"
  | "event_type"
  | "state"
  | "attempts"
  | "due_at"
  | "created_at"
  | "updated_at"
  | "failures"
  | "lost_leases"
> & { readonly body: string | null };
/** What one statement gives: the endpoints it looked at, without an event, and the rows it leased. */
type Together = Seen | (Seen & LeasedRow);
type Parsed = Pick<EndpointRecord, "url" | "secrets">;
interface Target {
  readonly endpoint_id: string;
  readonly endpoint: Parsed;
  readonly room: number;
}

const maxParsed = 1_000;

/**
 * A few due rows of each endpoint, by an index jump from one endpoint to the next: one endpoint's queue, however long, is never walked through.
 * `'pending'` stands in the text, for a partial index is not found by a parameter. Where a row is known to be pending already, it does not: by
 * statistics of an hour when nothing was, the whole of that index would look cheaper than the row's key.
 */
export function claimDeliveries(engine: SqlEngine) {
  const { db, dialect } = engine;
  const deliveries = sql.table("deliveries");
  const parse = createParse();

  // In the order of `deliveries_due` alone: by `due_at` the other index, which leads through everybody's rows, can look as cheap.
  const firstAfter = (from: RawBuilder<unknown>) =>
    sql`select d.endpoint_id, d.due_at from ${deliveries} as d where d.state = 'pending' and d.endpoint_id > ${from} order by d.endpoint_id, d.due_at limit 1`;
  const nextAfter = (from: RawBuilder<unknown>) =>
    sql`(select min(d.endpoint_id) from ${deliveries} as d where d.state = 'pending' and d.endpoint_id > ${from})`;
  const jumps = (name: string, from: RawBuilder<unknown>, only = sql`1 = 1`) => {
    const last = sql.ref(`${name}.endpoint_id`);
    const more = sql`n < ${sql.lit(maxEndpoints)}`;
    return dialect.nested
      ? sql`${sql.ref(name)}(endpoint_id, due_at, n) as (
          select f.endpoint_id, f.due_at, 1 from (${firstAfter(from)}) as f where ${only}
          union all
          select f.endpoint_id, f.due_at, n + 1 from ${sql.ref(name)} cross join lateral (${firstAfter(last)}) as f where ${more}
        )`
      : sql`${sql.ref(name)}(endpoint_id, n) as (
          select ${nextAfter(from)}, 1 where ${only}
          union all
          select ${nextAfter(last)}, n + 1 from ${sql.ref(name)} where endpoint_id is not null and ${more}
        )`;
  };
  const firstDue = dialect.nested
    ? sql`c.due_at`
    : sql`(select min(d.due_at) from ${deliveries} as d where d.state = 'pending' and d.endpoint_id = c.endpoint_id)`;
  const columns = dialect.nested ? sql`endpoint_id, due_at` : sql`endpoint_id`;
  /** From the first endpoint on; when there are too many for one claim, from `from` on and round. */
  const looked = (param: Param) => sql`${jumps("seen", sql`''`)},
    ${jumps("later", param("from"), sql`${param("from")} <> '' and (select count(endpoint_id) from seen) = ${sql.lit(maxEndpoints)}`)},
    next as materialized (
      select c.endpoint_id, ${firstDue} as due_at from (
        select ${columns} from (select ${columns} from seen union select ${columns} from later) as jumped
        where endpoint_id is not null order by endpoint_id <= ${param("from")}, endpoint_id limit ${sql.lit(maxEndpoints)}
      ) as c
    ), looked as materialized (
      select next.endpoint_id, next.due_at, e.state as endpoint_state, e.record from next
      left join ${sql.table("webhook_endpoints")} as e on e.id = next.endpoint_id and next.due_at <= ${param("now")}
    )`;
  const look = prepareRaw<Seen>(
    db,
    (param) =>
      sql`with recursive ${looked(param)} select endpoint_id, due_at, endpoint_state, record from looked`,
  );
  const lookAndLease = prepareRaw<Together>(
    db,
    (param) => sql`
    with recursive ${looked(param)}, picked as materialized (
      select d.ctid
      from (
        select l.endpoint_id, greatest(coalesce(g.room, ${param("per_endpoint")}), 0) as room from looked as l
        left join ${dialect.jsonTable("g", param("rooms"), { id: "text", room: "bigint" })} on g.id = l.endpoint_id
        where l.endpoint_state = 'enabled'
        order by l.endpoint_id <= ${param("from")}, l.endpoint_id
      ) as r
      cross join lateral (
        select ctid from ${deliveries}
        where state = 'pending' and endpoint_id >= r.endpoint_id and (endpoint_id, due_at) <= (r.endpoint_id, ${param("now")})
        order by endpoint_id, due_at limit r.room for update skip locked
      ) as d
      limit (select cast(${param("limit")} as bigint))
    ), leased as (
      update ${deliveries} as d set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
        lost_leases = case when d.lease_token is null then d.lost_leases else d.lost_leases + 1 end
      where d.ctid = any(array(select ctid from picked))
      returning d.*
    )
    select endpoint_id, due_at, endpoint_state, record, null as event_id, null as store_id, null as livemode, null as event_type, null as state,
      null as attempts, null as created_at, null as updated_at, null as failures, null as lost_leases, null as body from looked
    union all
    select l.endpoint_id, l.due_at, null, null, l.event_id, l.store_id, l.livemode, l.event_type, l.state,
      l.attempts, l.created_at, l.updated_at, l.failures, l.lost_leases, e.body from leased as l
    left join ${sql.table("events")} as e on e.store_id = l.store_id and e.livemode = l.livemode and e.id = l.event_id`,
  );
  const skip = prepareRaw<{ event_id: string }>(
    db,
    (param) => sql`
    with picked(store, endpoint, event) as materialized (
      select store_id, endpoint_id, event_id from ${deliveries}
      where state = 'pending' and endpoint_id >= ${param("endpoint_id")} and endpoint_id <= ${param("endpoint_id")}
      order by endpoint_id, due_at limit ${param("limit")} ${dialect.skipLockedText}
    )
    update ${deliveries} as d set state = 'skipped', lease_token = null, lost_leases = 0, resume_state = null, resume_due = null, updated_at = ${param("now")}
    from picked as p where d.store_id = p.store and d.endpoint_id = p.endpoint and d.event_id = p.event
      and not exists (select 1 from ${sql.table("webhook_endpoints")} as e where e.id = d.endpoint_id and e.state = 'enabled')
    returning event_id`,
  );
  const leaseOne = prepareRaw<DeliveryRow>(
    db,
    (param) => sql`
    update ${deliveries} set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
      lost_leases = case when lease_token is null then lost_leases else lost_leases + 1 end
    where rowid in (
      select rowid from ${deliveries} where state = 'pending' and endpoint_id = ${param("endpoint_id")} and due_at <= ${param("now")}
      order by due_at limit ${param("limit")}
    )
    returning *`,
  );
  const bodiesOf = prepareRaw<{ endpoint_id: string; event_id: string; body: string | null }>(
    db,
    (param) => sql`select k.endpoint_id, k.event_id, e.body
      from ${dialect.jsonTable("k", param("keys"), { store_id: "text", livemode: "bigint", endpoint_id: "text", event_id: "text" })}
      join ${sql.table("events")} as e on e.store_id = k.store_id and e.livemode = k.livemode and e.id = k.event_id`,
  );
  const skipThese = prepareRaw<unknown>(
    db,
    (
      param,
    ) => sql`update ${deliveries} as d set state = 'skipped', lease_token = null, updated_at = ${param("now")}
      from ${dialect.jsonTable("k", param("keys"), { store_id: "text", endpoint_id: "text", event_id: "text" })}
      where d.store_id = k.store_id and d.endpoint_id = k.endpoint_id and d.event_id = k.event_id and d.lease_token = ${param("lease_token")}`,
  );

  /** Oldest of the endpoints after `from` first, and round. */
  function* leaseEach(
    targets: readonly Target[],
    claim: Claim,
  ): QueryGenerator<readonly LeasedRow[]> {
    const { now, lease_until, lease_token, limit } = claim;
    const rows: DeliveryRow[] = [];
    for (const { endpoint_id, room } of targets) {
      if (rows.length >= limit) break;
      const most = Math.min(room, limit - rows.length);
      rows.push(
        ...(yield* many(leaseOne({ endpoint_id, now, lease_until, lease_token, limit: most }))),
      );
    }
    if (rows.length === 0) return [];
    const keys = rows.map(({ store_id, livemode, endpoint_id, event_id }) => ({
      store_id,
      livemode,
      endpoint_id,
      event_id,
    }));
    const bodies = new Map<string, string | null>();
    for (const { endpoint_id, event_id, body } of yield* many(
      bodiesOf({ keys: JSON.stringify(keys) }),
    ))
      bodies.set(`${endpoint_id} ${event_id}`, body);
    return rows.map((row) =>
      Object.assign(row, { body: bodies.get(`${row.endpoint_id} ${row.event_id}`) ?? null }),
    );
  }

  const targetsOf = (
    seen: readonly Seen[],
    { now, rooms, per_endpoint }: Claim,
  ): readonly Target[] =>
    seen.flatMap(({ endpoint_id, due_at, endpoint_state, record }) => {
      const room = rooms[endpoint_id] ?? per_endpoint;
      if (due_at > now || endpoint_state !== "enabled" || record === null || room <= 0) return [];
      return { endpoint_id, endpoint: parse(record), room };
    });

  /** What has to be written beside the leases, and what the claim amounts to. */
  function* finish(
    seen: readonly Seen[],
    targets: readonly Target[],
    rows: readonly LeasedRow[],
    claim: Claim,
  ): QueryGenerator<Claimed> {
    let all = seen.length < maxEndpoints;
    for (const { endpoint_id, due_at, endpoint_state } of seen) {
      if (due_at > claim.now || endpoint_state === "enabled") continue;
      // Disabled or deleted: rows that were written meanwhile, or that were too many for one step.
      const skipped = yield* many(skip({ endpoint_id, limit: skipChunk, now: claim.now }));
      if (skipped.length === skipChunk) all = false;
    }
    const endpoints = new Map(targets.map(({ endpoint_id, endpoint }) => [endpoint_id, endpoint]));
    const deliveries: ClaimedDelivery[] = [];
    const empty: DeliveryKey[] = [];
    for (const row of rows) {
      const endpoint = endpoints.get(row.endpoint_id);
      if (endpoint && row.body !== null) deliveries.push(claimedOf(row, endpoint, row.body));
      else
        empty.push({
          store_id: row.store_id,
          endpoint_id: row.endpoint_id,
          event_id: row.event_id,
        });
    }
    // Its bytes were pruned while it was made pending again.
    if (empty.length > 0)
      yield* many(
        skipThese({ keys: JSON.stringify(empty), now: claim.now, lease_token: claim.lease_token }),
      );
    const cut = rows.length >= claim.limit;
    const got = new Set(rows.map(({ endpoint_id }) => endpoint_id));
    const served = targets.filter(({ endpoint_id }) => got.has(endpoint_id)).at(-1)?.endpoint_id;
    const last = seen.at(-1)?.endpoint_id;
    return {
      deliveries: deliveries.sort(
        (a, b) => a.created_at - b.created_at || (a.event_id < b.event_id ? -1 : 1),
      ),
      after_endpoint: (cut ? served : all ? served : last) ?? claim.after_endpoint,
      complete: all && !cut,
    };
  }

  /** One statement, unless there is something to skip. */
  async function claimTogether(
    writeOne: NonNullable<SqlEngine["writeOne"]>,
    claim: Claim,
  ): Promise<Claimed> {
    const { now, lease_until, lease_token, limit, per_endpoint, rooms } = claim;
    const from = claim.after_endpoint ?? "";
    const list = JSON.stringify(Object.entries(rooms).map(([id, room]) => ({ id, room })));
    const answer = await writeOne(() =>
      lookAndLease({ from, now, lease_until, lease_token, limit, per_endpoint, rooms: list }),
    );
    const seen: Seen[] = [];
    const rows: LeasedRow[] = [];
    for (const row of answer) {
      if ("event_id" in row && row.event_id !== null) rows.push(row);
      else seen.push(row);
    }
    const after = (id: string): boolean => id > from;
    seen.sort(
      (a, b) =>
        Number(after(b.endpoint_id)) - Number(after(a.endpoint_id)) ||
        (a.endpoint_id < b.endpoint_id ? -1 : 1),
    );
    const finished = () => finish(seen, targetsOf(seen, claim), rows, claim);
    const first = finished().next([]); // runs through when there is nothing to write
    return first.done ? first.value : engine.write(finished);
  }

  return {
    claim: async (claim: Claim): Promise<Claimed> => {
      const { writeOne } = engine;
      if (dialect.nested && writeOne) return claimTogether(writeOne, claim);
      return engine.write(function* (): QueryGenerator<Claimed> {
        const seen = yield* many(look({ from: claim.after_endpoint ?? "", now: claim.now }));
        const targets = targetsOf(seen, claim);
        return yield* finish(seen, targets, yield* leaseEach(targets, claim), claim);
      });
    },
    skip: (endpoint_id: string, limit: number, now: number): Promise<number> =>
      engine.write(function* (): QueryGenerator<number> {
        return (yield* many(skip({ endpoint_id, limit, now }))).length;
      }),
  };
}

/** The same few endpoints are claimed for again and again. */
function createParse(): (record: string) => Parsed {
  const parsed = new Map<string, Parsed>();
  return (record) => {
    let endpoint = parsed.get(record);
    if (!endpoint) {
      endpoint = fromJson<EndpointRecord>(record);
      if (parsed.size >= maxParsed) parsed.clear();
      parsed.set(record, endpoint);
    }
    return endpoint;
  };
}

/** Field by field: a spread in front would make V8 add the rest one by one, at a microsecond each. */
const claimedOf = (row: LeasedRow, { url, secrets }: Parsed, body: string): ClaimedDelivery => ({
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
