import { sql } from "kysely";
import { erasedCustomerId } from "#core/rules/owner/erased-customer.ts";
import { blankEvent, type Erasure, sessionOfEvent } from "#core/rules/owner/erasure.ts";
import { ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { type ChunkPlace, noMoreRows, patternOf, type RowChunk } from "./rows.ts";

const eventsPerChunk = 250;

interface EventRow {
  readonly id: string;
  readonly sequence: number;
  readonly created_at: number;
  readonly body: string;
}

/**
 * Blanks events. The orders are blank by now: whoever writes an event of one of
 * them later writes no customer into it.
 */
export function* eraseEvents(
  engine: SqlEngine,
  { store_id, customer_id }: Erasure,
  { livemode, after }: ChunkPlace,
): QueryGenerator<RowChunk> {
  const { db } = engine;
  const partition = { store_id, livemode };
  const following = db
    .selectFrom("events")
    .where(ofPartition(partition))
    .where("sequence", ">", Number(after));
  const page = following.select("sequence").orderBy("sequence").limit(eventsPerChunk).as("page");
  const last = yield* one(db.selectFrom(page).select((eb) => eb.fn.max("sequence").as("sequence")));
  if (!last || last.sequence === null) return noMoreRows;

  const candidates = yield* many(
    following
      .select(["id", "sequence", "created_at", sql<string>`body`.as("body")])
      .where("sequence", "<=", last.sequence)
      .where("body", "is not", null)
      .where((eb) =>
        eb.or([
          eb("body", "like", patternOf({ id: customer_id })),
          // The event of a session names no customer: its session tells whose it is.
          eb("type", "=", "checkout.session.completed"),
        ]),
      ),
  );
  const session_ids = yield* erasedSessions(engine, partition, candidates);
  const blank = candidates.flatMap((event) => {
    const body = blankEvent(event.body, customer_id, session_ids);
    return body === null ? [] : [{ ...event, body }];
  });
  if (blank.length > 0) yield* putBlankEvents(engine, partition, blank);
  return { found: blank.length > 0, after: String(last.sequence) };
}

type StoreMode = Pick<ChunkPlace, "livemode"> & Pick<Erasure, "store_id">;

/** Finds the sessions of these events whose orders are blank. */
function* erasedSessions(
  { db }: SqlEngine,
  { store_id, livemode }: StoreMode,
  events: readonly EventRow[],
): QueryGenerator<ReadonlySet<string>> {
  const session_ids = events.flatMap(({ body }) => sessionOfEvent(body) ?? []);
  if (session_ids.length === 0) return new Set();

  const rows = yield* many(
    db
      .selectFrom("orders")
      .select("session_id")
      .where(ofPartition({ store_id, livemode }))
      .where("session_id", "in", session_ids)
      .where("customer_id", "=", erasedCustomerId),
  );
  return new Set(rows.flatMap(({ session_id }) => session_id ?? []));
}

/**
 * Stores blank events. An endpoint's answer may repeat the event, so the snippets
 * of its deliveries go too. Their index finds deliveries by the time of the event.
 */
function* putBlankEvents(
  { db, dialect }: SqlEngine,
  { store_id, livemode }: StoreMode,
  events: readonly EventRow[],
): QueryGenerator<void> {
  const blank = sql<string>`${JSON.stringify(events)}`;
  const ids = events.map(({ id, created_at }) => ({ id, created_at }));
  const names = sql<string>`${JSON.stringify(ids)}`;

  yield* many(
    sql`
      with b as materialized (
        select * from ${dialect.jsonTable("j", blank, { sequence: "bigint", body: "text" })})
      update ${sql.table("events")} as e
      set body = (select b.body from b where b.sequence = e.sequence)
      where e.store_id = ${store_id} and e.livemode = ${livemode}
        and e.sequence in (select sequence from b) and e.body is not null`.compile(db),
  );
  yield* many(
    sql`
      with b as materialized (
        select * from ${dialect.jsonTable("j", names, { id: "text", created_at: "bigint" })})
      update ${sql.table("delivery_attempts")} set snippet = null
      where snippet is not null and (store_id, endpoint_id, event_id) in (
        select d.store_id, d.endpoint_id, d.event_id from ${sql.table("deliveries")} as d
        where d.store_id = ${store_id} and d.livemode = ${livemode}
          and (d.created_at, d.event_id) in (select created_at, id from b))`.compile(db),
  );
}
