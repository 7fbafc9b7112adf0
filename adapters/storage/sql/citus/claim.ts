import { sql } from "kysely";
import type { Claim, Claimed } from "../../../../src/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw } from "../engine/queries.ts";
import { type EndpointLook, maxEndpoints } from "../webhooks/claim-look.ts";
import { claimResult, type DueEndpoint, type LeasedRow } from "../webhooks/claim-result.ts";
import { writeStatement } from "../webhooks/write-statement.ts";
import { atOnce } from "./at-once.ts";
import { skipSteps } from "./skip.ts";

interface StoreLook extends EndpointLook {
  readonly store_id: string;
}

/** What a turn may lease of the endpoints of one store. */
interface StoreShare {
  readonly store_id: string;
  readonly quotas: readonly { readonly id: string; readonly quota: number }[];
}

/**
 * One read of all shards looks at the endpoints. Then one statement leases for each
 * store on its own shard, several stores at once.
 */
export function claimOnCitus(engine: SqlEngine): (claim: Claim) => Promise<Claimed> {
  const look = lookStatement(engine);
  const lease = leaseStatement(engine);
  const run = writeStatement(engine);

  async function leaseShares(
    shares: readonly StoreShare[],
    { now, lease_until, lease_token }: Claim,
  ): Promise<readonly LeasedRow[]> {
    const rows = await atOnce(shares, ({ store_id, quotas }) =>
      run(() => lease({ store_id, quotas: JSON.stringify(quotas), now, lease_until, lease_token })),
    );
    return rows.flat();
  }

  return async (claim) => {
    const from = claim.after_endpoint ?? "";
    const looks = await engine.read(() => many(look({ from, now: claim.now })));
    const storeOf = new Map(looks.map(({ endpoint_id, store_id }) => [endpoint_id, store_id]));
    const { dueEndpoints, finish } = claimResult(engine, skipSteps(engine, storeOf));
    const due = dueEndpoints(looks, claim);

    // The limit is dealt out before, because the statements do not see each other. What one store
    // did not use is dealt out again to the endpoints that had no turn.
    const rows: LeasedRow[] = [];
    let next = 0;
    while (next < due.length && rows.length < claim.limit) {
      const dealt = dealOut(due, { next, limit: claim.limit - rows.length, storeOf });
      rows.push(...(await leaseShares(dealt.shares, claim)));
      next = dealt.next;
    }

    const steps = () => finish({ looks, due, rows }, claim);
    const first = steps().next([]); // ends at once when there is nothing to skip
    return first.done ? first.value : engine.write(steps);
  };
}

interface Deal {
  readonly next: number;
  readonly limit: number;
  readonly storeOf: ReadonlyMap<string, string>;
}

/** Deals the limit out to the endpoints from `next` on; the last one may get less. */
function dealOut(due: readonly DueEndpoint[], { next, limit, storeOf }: Deal) {
  const byStore = new Map<string, StoreShare["quotas"][number][]>();
  let left = limit;
  let index = next;
  for (; index < due.length && left > 0; index += 1) {
    const endpoint = due[index];
    const store_id = endpoint && storeOf.get(endpoint.endpoint_id);
    if (!endpoint || store_id === undefined) continue;

    const quota = Math.min(endpoint.quota, left);
    left -= quota;
    const share = { id: endpoint.endpoint_id, quota };
    const known = byStore.get(store_id);
    if (known) known.push(share);
    else byStore.set(store_id, [share]);
  }

  const shares: StoreShare[] = [...byStore].map(([store_id, quotas]) => ({ store_id, quotas }));
  return { shares, next: index };
}

/** Citus pushes this down whole: each shard reads one index entry for each endpoint. */
const lookStatement = ({ db }: SqlEngine) =>
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
    const store_id = param("store_id");
    return sql<LeasedRow>`
    with picked as materialized (
      select d.endpoint_id, d.event_id
      from ${dialect.jsonTable("q", param("quotas"), { id: "text", quota: "bigint" })}
      cross join lateral (
        select endpoint_id, event_id from ${deliveries}
        where store_id = ${store_id} and state = 'pending' and endpoint_id = q.id
          and due_at <= ${param("now")}
        order by due_at limit q.quota for update skip locked
      ) as d
    ), leased as (
      update ${deliveries} as d
      set due_at = ${param("lease_until")}, lease_token = ${param("lease_token")},
        lost_leases = case when d.lease_token is null then d.lost_leases
          else d.lost_leases + 1 end
      from picked as p
      where d.store_id = ${store_id} and d.endpoint_id = p.endpoint_id
        and d.event_id = p.event_id
      returning d.*
    )
    select l.endpoint_id, l.due_at, l.event_id, l.store_id, l.livemode, l.event_type, l.state,
      l.attempts, l.created_at, l.updated_at, l.failures, l.lost_leases, e.body
    from leased as l
    left join ${sql.table("events")} as e
      on e.store_id = ${store_id} and e.livemode = l.livemode and e.id = l.event_id`;
  });
