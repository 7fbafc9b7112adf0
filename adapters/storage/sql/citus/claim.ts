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
import { eventOf } from "../webhooks/event-of.ts";
import { type LeasedRow, leasedText } from "../webhooks/rows.ts";
import { writeStatement } from "../webhooks/write-statement.ts";
import type { Lanes } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";
import { skipping } from "./skip.ts";

export interface StoreLook extends EndpointLook {
  readonly store_id: string;
}

/** How many deliveries of an endpoint a turn may lease. */
interface Share {
  readonly store_id: string;
  readonly id: string;
  readonly quota: number;
}

/**
 * Reads the due endpoints from all shards at once. Then it leases the deliveries of
 * their stores by one statement for each shard, and several shards run at the same
 * time.
 */
export function claimOnCitus(engine: SqlEngine, lanes: Lanes): (claim: Claim) => Promise<Claimed> {
  const look = lanes.reader(lookQuery);
  const lease = leaseStatement(engine);
  const run = writeStatement(engine);
  const dueEndpoints = dueEndpointFinder();
  const { skipEndpoints, skipRows } = skipping(engine, lanes);

  async function leaseShares(
    shares: readonly Share[],
    { now, lease_until, lease_token }: Claim,
  ): Promise<readonly LeasedRow[]> {
    const { done } = await lanes.writeEach(shares, ({ items, stores }) =>
      run(() => lease({ quotas: JSON.stringify(items), stores, now, lease_until, lease_token })),
    );
    return done.flat();
  }

  return async (claim) => {
    const from = claim.after_endpoint ?? "";
    const found = await look({ from, now: claim.now });
    const looks = found.rows
      .toSorted((a, b) => compareTurns(from, a.endpoint_id, b.endpoint_id))
      .slice(0, maxEndpoints);
    const storeOf = new Map(looks.map(({ endpoint_id, store_id }) => [endpoint_id, store_id]));
    const due = dueEndpoints(looks, claim);

    // The statements do not see each other, so the limit is divided among the endpoints first. What
    // an endpoint does not use is then divided among those that had no turn.
    const rows: LeasedRow[] = [];
    let next = 0;
    while (next < due.length && rows.length < claim.limit) {
      const dealt = dealOut(due, { next, limit: claim.limit - rows.length, storeOf });
      rows.push(...(await leaseShares(dealt.shares, claim)));
      next = dealt.next;
    }

    const skippedAll = await skipEndpoints(disabledLooks(looks, claim), claim.now);
    const { deliveries, withoutBody } = sortRows({ rows, due });
    await skipRows(withoutBody, claim);
    return claimAnswer({ looks, due, rows }, claim, { deliveries, skippedAll });
  };
}

interface Deal {
  readonly next: number;
  readonly limit: number;
  readonly storeOf: ReadonlyMap<string, string>;
}

/** Deals the limit out to the endpoints from `next` on; the last one may get less. */
function dealOut(due: readonly DueEndpoint[], { next, limit, storeOf }: Deal) {
  const shares: Share[] = [];
  let left = limit;
  let index = next;
  for (; index < due.length && left > 0; index += 1) {
    const endpoint = due[index];
    const store_id = endpoint && storeOf.get(endpoint.endpoint_id);
    if (!endpoint || store_id === undefined) continue;

    const quota = Math.min(endpoint.quota, left);
    left -= quota;
    shares.push({ store_id, id: endpoint.endpoint_id, quota });
  }
  return { shares, next: index };
}

/** Citus pushes this down whole: each shard reads one index entry for each endpoint. */
const lookQuery = (db: Db) =>
  prepareRaw<StoreLook>(
    db,
    (param) => sql<StoreLook>`
    select e.store_id, e.id as endpoint_id, p.due_at, e.record, e.state as endpoint_state
    from ${sql.table("webhook_endpoints")} as e
    cross join lateral (
      select d.due_at from ${sql.table("deliveries")} as d
      where d.store_id = e.store_id and d.endpoint_id = e.id and d.state = 'pending'
      order by d.due_at limit 1
    ) as p
    where p.due_at <= ${param("now")}
    order by e.id <= ${param("from")}, e.id limit ${sql.lit(maxEndpoints)}`,
  );

const leaseStatement = ({ db, dialect }: SqlEngine) =>
  prepareRaw<LeasedRow>(db, (param) => {
    const deliveries = sql.table("deliveries");
    const quotas = { store_id: "text", id: "text", quota: "bigint" } as const;
    return sql<LeasedRow>`
    with picked as materialized (
      select d.store_id, d.endpoint_id, d.event_id
      from ${dialect.jsonTable("q", param("quotas"), quotas)}
      cross join lateral (
        select store_id, endpoint_id, event_id from ${deliveries}
        where store_id ${isOfShard(param)} and store_id = q.store_id
          and state = 'pending' and endpoint_id = q.id and due_at <= ${param("now")}
        order by due_at limit q.quota for update skip locked
      ) as d
    ), leased as (
      update ${deliveries} as d
      set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
        lost_leases = case when d.lease_token is null then d.lost_leases
          else d.lost_leases + 1 end
      from picked as p
      where d.store_id ${isOfShard(param)} and d.store_id = p.store_id
        and d.endpoint_id = p.endpoint_id and d.event_id = p.event_id
      returning d.*
    )
    select l.endpoint_id, l.due_at, ${leasedText}, e.body
    from leased as l
    left join lateral (${eventOf(sql`l`, isOfShard(param))}) as e on true`;
  });
