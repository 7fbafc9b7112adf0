import { sql } from "kysely";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";
import type { Lanes, ShardPart } from "./lanes/lanes.ts";
import { isOfShard } from "./lanes/of-shard.ts";

type NoticeKey = Pick<Tables["alert_notices"], "store_id" | "livemode" | "alert_id">;
type Due = NoticeKey & Pick<Tables["alert_notices"], "due_at">;

const keyColumns = { store_id: "text", livemode: "bigint", alert_id: "text" } as const;

/** Finds the notices by a read of all shards, and takes those of each shard by a guarded update. */
export function claimNoticesOnCitus(engine: SqlEngine, lanes: Lanes): WebhookStore["claimNotices"] {
  const findDue = lanes.reader(dueQuery);
  const take = takeStep(engine);

  return async ({ now, lease_until, limit }) => {
    const { rows } = await findDue({ now, limit });
    const due = rows.toSorted((a, b) => a.due_at - b.due_at).slice(0, limit);
    const { done } = await lanes.writeEach(due, (part) =>
      engine.write(() => take(part, { now, lease_until })),
    );
    return done
      .flat()
      .map((row) => ({ ...row, livemode: row.livemode === 1, data: fromJson(row.data) }));
  };
}

const dueQuery = (db: Db) =>
  prepareRaw<Due>(
    db,
    (param) => sql<Due>`
    select store_id, livemode, alert_id, due_at from ${sql.table("alert_notices")}
    where due_at <= ${param("now")} order by due_at limit ${param("limit")}`,
  );

/** Takes the notices that no other process has taken meanwhile, and gives their alerts. */
function takeStep({ db, dialect }: SqlEngine) {
  const lease = prepareRaw<NoticeKey>(
    db,
    (param) => sql<NoticeKey>`
    update ${sql.table("alert_notices")} as n set due_at = ${param("lease_until")}
    from ${dialect.jsonTable("k", param("keys"), keyColumns)}
    where n.store_id ${isOfShard(param)} and n.store_id = k.store_id
      and n.livemode = k.livemode and n.alert_id = k.alert_id and n.due_at <= ${param("now")}
    returning n.store_id, n.livemode, n.alert_id`,
  );
  const findAlerts = prepareRaw<Tables["alerts"]>(
    db,
    (param) => sql<Tables["alerts"]>`
    select a.* from ${sql.table("alerts")} as a
    join ${dialect.jsonTable("k", param("keys"), keyColumns)}
      on a.store_id = k.store_id and a.livemode = k.livemode and a.id = k.alert_id
    where a.store_id ${isOfShard(param)}`,
  );

  return function* take(
    { items, stores }: ShardPart<NoticeKey>,
    times: { readonly now: number; readonly lease_until: number },
  ): QueryGenerator<readonly Tables["alerts"][]> {
    const leased = yield* many(lease({ ...times, stores, keys: JSON.stringify(items) }));
    if (leased.length === 0) return [];

    return yield* many(findAlerts({ stores, keys: JSON.stringify(leased) }));
  };
}
