import { sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { SkipSteps } from "../webhooks/claim-result.ts";
import { byStore } from "./at-once.ts";

/** Skips pending deliveries of an endpoint that is disabled or deleted; gives their number. */
export function skipStep({ db }: SqlEngine) {
  const update = prepareRaw<{ event_id: string }>(db, (param) => {
    const deliveries = sql.table("deliveries");
    const store_id = param("store_id");
    return sql<{ event_id: string }>`
    with picked(event) as materialized (
      select event_id from ${deliveries}
      where store_id = ${store_id} and state = 'pending'
        and endpoint_id = ${param("endpoint_id")}
      order by due_at limit ${param("limit")} for update skip locked
    )
    update ${deliveries} as d
    set state = 'skipped', lease_token = null, lost_leases = 0,
      resume_state = null, resume_due = null, updated_at = ${param("now")}
    from picked as p
    where d.store_id = ${store_id} and d.endpoint_id = ${param("endpoint_id")}
      and d.event_id = p.event
      and not exists (
        select 1 from ${sql.table("webhook_endpoints")} as e
        where e.store_id = ${store_id} and e.id = ${param("endpoint_id")} and e.state = 'enabled'
      )
    returning event_id`;
  });

  return function* skip(endpoint: EndpointKey, limit: number, now: number): QueryGenerator<number> {
    return (yield* many(update({ ...endpoint, limit, now }))).length;
  };
}

interface EndpointKey {
  readonly store_id: string;
  readonly endpoint_id: string;
}

/** The skips of a claim whose look found these stores. */
export function skipSteps(engine: SqlEngine, storeOf: ReadonlyMap<string, string>): SkipSteps {
  const skip = skipStep(engine);
  const skipRows = skipRowsStatement(engine);

  return {
    skip: ({ endpoint_id }, limit, now) =>
      skip({ store_id: storeOf.get(endpoint_id) ?? "", endpoint_id }, limit, now),

    *skipRows(keys, { now, lease_token }) {
      for (const [store_id, ofStore] of byStore(keys))
        yield* many(skipRows({ store_id, keys: JSON.stringify(ofStore), now, lease_token }));
    },
  };
}

const skipRowsStatement = ({ db, dialect }: SqlEngine) =>
  prepareRaw<unknown>(
    db,
    (param) => sql`
    update ${sql.table("deliveries")} as d
    set state = 'skipped', lease_token = null, updated_at = ${param("now")}
    from ${dialect.jsonTable("k", param("keys"), { endpoint_id: "text", event_id: "text" })}
    where d.store_id = ${param("store_id")} and d.endpoint_id = k.endpoint_id
      and d.event_id = k.event_id and d.lease_token = ${param("lease_token")}`,
  );
