import { sql } from "kysely";
import type { SessionWithOrder } from "#core/rules/checkout/checkout-records.ts";
import { storedSessions } from "#core/rules/owner/list-records.ts";
import type { OrderRecord, SessionRecord } from "#core/rules/records.ts";
import type { ListingStore, SessionQuery } from "#core/storage/reads/listing-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { listedFields } from "../schema/json-fields.ts";
import { isInPartition, newestPage, pageOrder } from "./newest.ts";

export const sqlSessionLists = (engine: SqlEngine): Pick<ListingStore, "listSessions"> => ({
  listSessions: (query) => engine.read(() => listSessions(engine, query)),
});

interface SessionRow {
  readonly session: string;
  readonly record: string | null;
}

function* listSessions(
  { db, dialect }: SqlEngine,
  query: SessionQuery,
): QueryGenerator<readonly SessionWithOrder[]> {
  const { after, oldest_first, limit, store_id, livemode, ...filter } = query;
  const { stored, first_id, end_id, ...rest } = storedSessions(filter);
  const { expires_after, expired_by, created_from, created_to } = rest;
  const created_at = sql.raw(listedFields(dialect.name).created_at);
  const list = {
    table: "checkout_sessions",
    parts: stored.map((name) => sql`status = ${name}`),
    where: [
      ...(expires_after === null ? [] : [sql`expires_at > ${expires_after}`]),
      ...(expired_by === null ? [] : [sql`expires_at <= ${expired_by}`]),
      ...(first_id === null ? [] : [sql`id >= ${first_id}`]),
      ...(end_id === null ? [] : [sql`id < ${end_id}`]),
      ...(created_from === undefined ? [] : [sql`${created_at} >= ${created_from}`]),
      ...(created_to === undefined ? [] : [sql`${created_at} < ${created_to}`]),
    ],
    sortedBy: [sql`id`],
    after: after === undefined ? undefined : [after],
    oldest_first,
    limit,
  } as const;

  const rows = yield* many(
    sql<SessionRow>`
      select page.record as session, o.record
      from (${newestPage({ store_id, livemode }, list)}) as page
      left join ${sql.table("orders")} as o
        on ${isInPartition("o", { store_id, livemode })} and o.session_id = page.id
      order by ${pageOrder(list)}`.compile(db),
  );
  return rows.map(({ session, record }) => ({
    session: fromJson<SessionRecord>(session),
    order: record === null ? null : fromJson<OrderRecord>(record),
  }));
}
