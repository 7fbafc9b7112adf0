import { type Selectable, sql } from "kysely";
import { eventTypes } from "#core/contract/events.ts";
import type { EventRecord } from "#core/rules/records.ts";
import type { EventQuery, ListingStore } from "#core/storage/reads/listing-store.ts";
import { ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { listedFields } from "../schema/json-fields.ts";
import type { Tables } from "../schema/tables.ts";
import { newestPage, partsOf } from "./newest.ts";

type EventLists = Pick<ListingStore, "listEvents" | "findEvent">;
type EventRow = Selectable<Tables["events"]>;

export const sqlEventLists = (engine: SqlEngine): EventLists => ({
  listEvents: (query) => engine.read(() => listEvents(engine, query)),

  findEvent: (partition, id) =>
    engine.read(function* (): QueryGenerator<EventRecord | null> {
      const row = yield* one(
        engine.db
          .selectFrom("events")
          .selectAll()
          .where(ofPartition(partition))
          .where("id", "=", id),
      );
      return row ? readEvent(row) : null;
    }),
});

function* listEvents(
  { db, dialect }: SqlEngine,
  query: EventQuery,
): QueryGenerator<readonly EventRecord[]> {
  const { type, order_id, after, oldest_first, limit } = query;
  const ofOrder = sql.raw(listedFields(dialect.name).event_order);
  const list = {
    table: "events",
    ...partsOf({
      state: sql`type`,
      states: type === undefined ? eventTypes : [type],
      isWhole: type === undefined,
      ofOrder: order_id === undefined ? null : sql`body is not null and ${ofOrder} = ${order_id}`,
      sortedBy: [sql`created_at`, sql`sequence`],
    }),
    after: after && [after.created_at, after.sequence],
    oldest_first,
    limit,
  } as const;

  const rows = yield* many(
    sql<EventRow>`
      select store_id, livemode, id, sequence, type, created_at, body
      from (${newestPage(query, list)}) as page`.compile(db),
  );
  return rows.map(readEvent);
}

const readEvent = (row: EventRow): EventRecord => ({
  store_id: row.store_id,
  livemode: row.livemode === 1,
  id: row.id,
  sequence: row.sequence,
  type: row.type,
  created_at: row.created_at,
  body: row.body,
});
