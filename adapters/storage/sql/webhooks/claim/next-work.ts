import { type RawBuilder, sql } from "kysely";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { one, type Param, prepareRaw } from "../../engine/queries.ts";
import { pendingDue } from "../../schema/migrations/0011-0020/0018-next-delivery.ts";

/** The earliest due delivery of an enabled endpoint, and the number of notices that are due. */
export interface NextWorkRow {
  readonly next_due: number | null;
  readonly notices: number;
}

/** Finds the next work among all that is pending. */
export const nextWorkQuery = (db: Db) =>
  prepareRaw<NextWorkRow>(db, (param) => nextWorkText(param, sql`(${due}) is not null`));

/** Finds the next work that is due behind `after`, up to `now`. */
export const dueWorkQuery = (db: Db) =>
  prepareRaw<NextWorkRow>(db, (param) =>
    nextWorkText(param, sql`(${due}) > ${param("after")} and (${due}) <= ${param("now")}`),
  );

const due = sql.raw(pendingDue);

// The query counts the endpoints, because PostgreSQL turns `exists` into a join. With old
// statistics it would join and sort everything that is pending.
const nextWorkText = (param: Param, condition: RawBuilder<unknown>) => sql<NextWorkRow>`
    select (
        select ${due} from ${sql.table("deliveries")} as d
        where ${condition} and (
          select count(*) from ${sql.table("webhook_endpoints")} as e
          where e.store_id = d.store_id and e.id = d.endpoint_id and e.state = 'enabled'
        ) > 0
        order by ${due} limit 1
      ) as next_due,
      (
        select count(*) from ${sql.table("alert_notices")} as n where n.due_at <= ${param("now")}
      ) as notices`;

export function nextWorkOnSqlite(engine: SqlEngine): WebhookStore["findNextWork"] {
  const select = nextWorkQuery(engine.db);

  return async (now) => {
    const row = await engine.read(() => one(select({ now })));
    return { next_due: row?.next_due ?? null, notices: (row?.notices ?? 0) > 0 };
  };
}
