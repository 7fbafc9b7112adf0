import { type RawBuilder, sql } from "kysely";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";

/** Writes what `skipped` of src/rules/webhooks/deliveries.ts decides of a delivery `d`. */
export const skippedColumns = (param: Param): RawBuilder<unknown> => sql`
  state = case when coalesce(d.resume_state, 'pending') = 'pending' then 'skipped'
    else d.resume_state end,
  due_at = coalesce(d.resume_due, d.due_at), lease_token = null, lost_leases = 0,
  resume_state = null, resume_due = null, updated_at = ${param("now")}`;

/** Skips pending deliveries of an endpoint that is disabled or deleted, and gives their number. */
export function skipStep({ db, dialect }: SqlEngine) {
  const deliveries = sql.table("deliveries");
  // The two bounds on the endpoint keep PostgreSQL on the index that leads with it.
  const update = prepareRaw<{ event_id: string }>(
    db,
    (param) => sql`
    with picked(store, endpoint, event) as materialized (
      select store_id, endpoint_id, event_id from ${deliveries}
      where state = 'pending'
        and endpoint_id >= ${param("endpoint_id")} and endpoint_id <= ${param("endpoint_id")}
      order by endpoint_id, due_at limit ${param("limit")} ${dialect.skipLockedText}
    )
    update ${deliveries} as d
    set ${skippedColumns(param)}
    from picked as p
    where d.store_id = p.store and d.endpoint_id = p.endpoint and d.event_id = p.event
      and not exists (
        select 1 from ${sql.table("webhook_endpoints")} as e
        where e.id = d.endpoint_id and e.state = 'enabled'
      )
    returning event_id`,
  );

  return function* skip(endpoint_id: string, limit: number, now: number): QueryGenerator<number> {
    return (yield* many(update({ endpoint_id, limit, now }))).length;
  };
}
