import { sql } from "kysely";
import { compareTurns } from "#core/rules/webhooks/claim-turns.ts";
import type { Claim, Claimed } from "#core/storage/webhook-store.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { prepareRaw } from "../engine/queries.ts";
import { type EndpointLook, maxEndpoints } from "../webhooks/claim/claim-look.ts";
import {
  claimAnswer,
  type DueEndpoint,
  disabledLooks,
  dueEndpointFinder,
  sortRows,
} from "../webhooks/claim/claim-result.ts";
import { countBlocks } from "../webhooks/claim/count-blocks.ts";
import {
  isBehind,
  type KnownQueues,
  type QueuePlace,
  QueuePlaces,
} from "../webhooks/claim/queue-places.ts";
import { eventOf } from "../webhooks/event-of.ts";
import { type LeasedRow, leasedText } from "../webhooks/rows.ts";
import { writeStatement } from "../webhooks/write-statement.ts";
import type { Lanes } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";
import { skipping } from "./skip.ts";

export interface StoreLook extends EndpointLook {
  readonly store_id: string;
  /** The first pending delivery. */
  readonly event_id: string;
}

/** How many deliveries of an endpoint a turn may lease, and where its queue begins. */
interface Share extends QueuePlace {
  readonly store_id: string;
  readonly id: string;
  readonly quota: number;
}

/** A delivery that was leased, and when it had been due. */
type LeasedFrom = LeasedRow & { readonly was_due: number };

interface Looked {
  readonly rows: readonly StoreLook[];
  readonly known: KnownQueues | null;
}

/**
 * Reads the due endpoints from all shards at once. Then it leases the deliveries of
 * their stores by one statement for each shard, and several shards run at the same
 * time.
 */
export function claimOnCitus(engine: SqlEngine, lanes: Lanes): (claim: Claim) => Promise<Claimed> {
  const lookWhole = lanes.reader(lookQuery);
  const lookBehind = lanes.reader(lookBehindQuery);
  const wholeLook = lookQuery(engine.db);
  const queues = new QueuePlaces();
  const lease = leaseStatement(engine);
  const run = writeStatement(engine);
  const dueEndpoints = dueEndpointFinder();
  const { skipEndpoints, skipRows } = skipping(engine, lanes);

  async function leaseShares(
    shares: readonly Share[],
    { now, lease_until, lease_token }: Claim,
  ): Promise<readonly LeasedFrom[]> {
    const { done } = await lanes.writeEach(shares, ({ items, stores }) =>
      run(() => lease({ quotas: JSON.stringify(items), stores, now, lease_until, lease_token })),
    );
    return done.flat();
  }

  async function look({ now, after_endpoint }: Claim): Promise<Looked> {
    const range = { from: after_endpoint ?? "", now };
    const known = queues.find(now);
    if (known) {
      const places = JSON.stringify(known.places);
      const { rows } = await lookBehind({ ...range, places, since: known.since });
      return { rows, known };
    }

    const began = performance.now();
    const { rows } = await lookWhole(range);
    const took_ms = performance.now() - began;
    await queues.pace.note({
      now,
      took_ms,
      rows: rows.length,
      countBlocks: () => countBlocks(engine, wholeLook(range)),
    });
    return { rows, known };
  }

  return async (claim) => {
    const from = claim.after_endpoint ?? "";
    const looked = await look(claim);
    const looks = looked.rows
      .toSorted((a, b) => compareTurns(from, a.endpoint_id, b.endpoint_id))
      .slice(0, maxEndpoints);
    const lookOf = new Map(looks.map((found) => [found.endpoint_id, found]));
    const due = dueEndpoints(looks, claim);

    // The statements do not see each other, so the limit is divided among the endpoints first. What
    // an endpoint does not use is then divided among those that had no turn.
    const rows: LeasedFrom[] = [];
    let next = 0;
    while (next < due.length && rows.length < claim.limit) {
      const dealt = dealOut(due, { next, limit: claim.limit - rows.length, lookOf });
      rows.push(...(await leaseShares(dealt.shares, claim)));
      next = dealt.next;
    }

    queues.note(claim, { looks, rows, last: lastOf(rows), known: looked.known });
    const skippedAll = await skipEndpoints(disabledLooks(looks, claim), claim.now);
    const { deliveries, withoutBody } = sortRows({ rows, due });
    await skipRows(withoutBody, claim);
    return claimAnswer({ looks, due, rows }, claim, { deliveries, skippedAll });
  };
}

interface Deal {
  readonly next: number;
  readonly limit: number;
  readonly lookOf: ReadonlyMap<string, StoreLook>;
}

/** Deals the limit out to the endpoints from `next` on; the last one may get less. */
function dealOut(due: readonly DueEndpoint[], { next, limit, lookOf }: Deal) {
  const shares: Share[] = [];
  let left = limit;
  let index = next;
  for (; index < due.length && left > 0; index += 1) {
    const endpoint = due[index];
    const found = endpoint && lookOf.get(endpoint.endpoint_id);
    if (!endpoint || !found) continue;

    const quota = Math.min(endpoint.quota, left);
    left -= quota;
    const { store_id, due_at, event_id } = found;
    shares.push({ store_id, id: endpoint.endpoint_id, quota, due_at, event_id });
  }
  return { shares, next: index };
}

/** Gives the last delivery of each endpoint, as it stood in the queue. */
function lastOf(rows: readonly LeasedFrom[]): ReadonlyMap<string, QueuePlace> {
  const last = new Map<string, QueuePlace>();
  for (const { endpoint_id, was_due, event_id } of rows) {
    const place = { due_at: was_due, event_id };
    const other = last.get(endpoint_id);
    if (!other || isBehind(place, other)) last.set(endpoint_id, place);
  }
  return last;
}

/** Selects the endpoints, each with the first of its pending deliveries `p`. */
const looked = sql`
    select e.store_id, e.id as endpoint_id, p.due_at, p.event_id, e.record,
      e.state as endpoint_state
    from ${sql.table("webhook_endpoints")} as e`;

/** Citus pushes this down whole: each shard reads one index entry for each endpoint. */
const lookQuery = (db: Db) =>
  prepareRaw<StoreLook>(
    db,
    (param) => sql<StoreLook>`${looked}
    cross join lateral (
      select d.due_at, d.event_id from ${sql.table("deliveries")} as d
      where d.store_id = e.store_id and d.endpoint_id = e.id and d.state = 'pending'
      order by d.due_at, d.event_id limit 1
    ) as p
    where p.due_at <= ${param("now")}
    order by e.id <= ${param("from")}, e.id limit ${sql.lit(maxEndpoints)}`,
  );

/** Looks behind the known places, and for other endpoints behind the last look. */
const lookBehindQuery = (db: Db) =>
  prepareRaw<StoreLook>(
    db,
    (param) => sql<StoreLook>`${looked}
    left join json_to_recordset(cast(${param("places")} as json))
      as k(id text, due_at bigint, event_id text) on k.id = e.id
    cross join lateral (
      select d.due_at, d.event_id from ${sql.table("deliveries")} as d
      where d.store_id = e.store_id and d.endpoint_id = e.id and d.state = 'pending'
        and (d.due_at, d.event_id)
          > (coalesce(k.due_at, ${param("since")}), coalesce(k.event_id, ''))
        and d.due_at <= ${param("now")}
      order by d.due_at, d.event_id limit 1
    ) as p
    order by e.id <= ${param("from")}, e.id limit ${sql.lit(maxEndpoints)}`,
  );

const leaseStatement = ({ db, dialect }: SqlEngine) =>
  prepareRaw<LeasedFrom>(db, (param) => {
    const deliveries = sql.table("deliveries");
    const quotas = {
      store_id: "text",
      id: "text",
      quota: "bigint",
      due_at: "bigint",
      event_id: "text",
    } as const;
    return sql<LeasedFrom>`
    with picked as materialized (
      select d.store_id, d.endpoint_id, d.event_id, d.due_at
      from ${dialect.jsonTable("q", param("quotas"), quotas)}
      cross join lateral (
        select store_id, endpoint_id, event_id, due_at from ${deliveries}
        where store_id ${isOfShard(param)} and store_id = q.store_id
          and state = 'pending' and endpoint_id = q.id and due_at <= ${param("now")}
          and (due_at, event_id) >= (q.due_at, q.event_id)
        order by due_at, event_id limit q.quota for update skip locked
      ) as d
    ), leased as (
      update ${deliveries} as d
      set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
        lost_leases = case when d.lease_token is null then d.lost_leases
          else d.lost_leases + 1 end
      from picked as p
      where d.store_id ${isOfShard(param)} and d.store_id = p.store_id
        and d.endpoint_id = p.endpoint_id and d.event_id = p.event_id
      returning d.*, p.due_at as was_due
    )
    select l.endpoint_id, l.due_at, l.was_due, ${leasedText}, e.body
    from leased as l
    left join lateral (${eventOf(sql`l`, isOfShard(param))}) as e on true`;
  });
