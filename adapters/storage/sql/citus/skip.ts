import { sql } from "kysely";
import { skipLimit } from "#core/rules/webhooks/claim-turns.ts";
import type { DeliveryKey } from "#core/rules/webhooks/webhook-records.ts";
import type { Claim } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { skippedColumns } from "../webhooks/settle/skip.ts";
import type { Lanes } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";

interface EndpointKey {
  readonly store_id: string;
  readonly endpoint_id: string;
}

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
    set ${skippedColumns(param)}
    from picked as p
    where d.store_id = ${store_id} and d.endpoint_id = ${param("endpoint_id")}
      and d.event_id = p.event
      and not exists (
        select 1 from ${sql.table("webhook_endpoints")} as e
        where e.store_id = ${store_id} and e.id = ${param("endpoint_id")} and e.state = 'enabled'
      )
    returning event_id`;
  });

  return function* skip(
    { store_id, endpoint_id }: EndpointKey,
    limit: number,
    now: number,
  ): QueryGenerator<number> {
    return (yield* many(update({ store_id, endpoint_id, limit, now }))).length;
  };
}

/** Skips, during a claim, what is not to be sent. One statement runs at a time. */
export function skipping(engine: SqlEngine, lanes: Lanes) {
  const skip = skipStep(engine);
  const updateRows = skipRowsStatement(engine);

  return {
    /** Gives false when some are left. */
    async skipEndpoints(endpoints: readonly EndpointKey[], now: number): Promise<boolean> {
      if (endpoints.length === 0) return true;

      const { done } = await lanes.writeEach(endpoints, async ({ items }) => {
        let skippedAll = true;
        for (const endpoint of items)
          if ((await engine.write(() => skip(endpoint, skipLimit, now))) === skipLimit)
            skippedAll = false;
        return skippedAll;
      });
      return done.every((skippedAll) => skippedAll);
    },

    async skipRows(keys: readonly DeliveryKey[], { now, lease_token }: Claim): Promise<void> {
      if (keys.length === 0) return;

      await lanes.writeEach(keys, ({ items, stores }) => {
        const values = { stores, keys: JSON.stringify(items), now, lease_token };
        return engine.write(() => many(updateRows(values)));
      });
    },
  };
}

const keyColumns = { store_id: "text", endpoint_id: "text", event_id: "text" } as const;

const skipRowsStatement = ({ db, dialect }: SqlEngine) =>
  prepareRaw<unknown>(
    db,
    (param) => sql`
    update ${sql.table("deliveries")} as d
    set ${skippedColumns(param)}
    from ${dialect.jsonTable("k", param("keys"), keyColumns)}
    where d.store_id ${isOfShard(param)} and d.store_id = k.store_id
      and d.endpoint_id = k.endpoint_id and d.event_id = k.event_id
      and d.lease_token = ${param("lease_token")}`,
  );
