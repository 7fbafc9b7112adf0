import { sql } from "kysely";
import { erasedCustomerId } from "#core/rules/owner/erased-customer.ts";
import {
  blankReply,
  blankSession,
  type Erasure,
  type HeldCoupon,
  heldCoupon,
} from "#core/rules/owner/erasure.ts";
import type { SessionRecord } from "#core/rules/records.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { deleteCouponUses } from "./coupon-uses.ts";
import { type ChunkPlace, noMoreRows, patternOf, putBlankRecords, type RowChunk } from "./rows.ts";

const rowsPerChunk = 2_000;

/**
 * Blanks the sessions that were made with the customer's token and have no order.
 * They have no column for the customer: a chunk looks through some of the store's.
 */
export function* eraseOpenSessions(
  engine: SqlEngine,
  { store_id, customer_id }: Erasure,
  { livemode, after }: ChunkPlace,
): QueryGenerator<RowChunk> {
  const { db, dialect } = engine;
  const behind = db
    .selectFrom("checkout_sessions")
    .where(ofPartition({ store_id, livemode }))
    .where("id", ">", after)
    .orderBy("id");
  const page = behind.select("id").limit(rowsPerChunk).as("page");
  const last = yield* one(db.selectFrom(page).select((eb) => eb.fn.max("id").as("id")));
  if (!last || last.id === null) return noMoreRows;

  const candidates = behind
    .select("record")
    .where("id", "<=", last.id)
    .where("record", "like", patternOf({ customer_id }));
  const sessions = (yield* many(dialect.forUpdate(candidates)))
    .map(({ record }) => fromJson<SessionRecord>(record))
    .filter((session) => session.customer_id === customer_id);
  const holders = yield* putBlankSessions(engine, { store_id, livemode }, sessions);
  yield* deleteCouponUses(engine, { store_id, livemode, holders });
  return { found: sessions.length > 0, after: last.id };
}

interface Columns {
  readonly store_id: string;
  readonly livemode: 0 | 1;
}

/** Stores the sessions without their customer. It gives what they held before. */
export function* putBlankSessions(
  engine: SqlEngine,
  { store_id, livemode }: Columns,
  sessions: readonly SessionRecord[],
): QueryGenerator<readonly HeldCoupon[]> {
  const rows = sessions.map((session) => ({
    id: session.id,
    record: JSON.stringify(blankSession(session)),
  }));
  yield* putBlankRecords(engine, { table: "checkout_sessions", store_id, livemode, rows });
  return sessions.map(heldCoupon);
}

interface KeyName {
  readonly key_kind: string;
  readonly operation: string;
  readonly idempotency_key: string;
}

interface ReplyRow extends KeyName {
  readonly body: string;
}

/**
 * Blanks the replies that are stored for repeated requests. A reply names nobody's
 * id: its session, or the order of it, is blank by now and tells.
 */
export function* eraseReplies(
  { db, dialect }: SqlEngine,
  { store_id }: Erasure,
  { livemode, after }: ChunkPlace,
): QueryGenerator<RowChunk> {
  const keys = sql.table("idempotency_keys");
  const name = sql`k.key_kind, k.operation, k.idempotency_key`;
  const [kind = "", operation = "", key = ""] = after === "" ? [] : fromJson<string[]>(after);
  const behind = sql`k.store_id = ${store_id} and k.livemode = ${livemode}
    and (${name}) > (${kind}, ${operation}, ${key})`;

  const page = yield* many(
    sql<KeyName>`
      select ${name} from ${keys} as k where ${behind}
      order by ${name} limit ${rowsPerChunk}`.compile(db),
  );
  const last = page.at(-1);
  if (!last) return noMoreRows;

  const replies = yield* many(
    sql<ReplyRow>`
      select ${name}, k.body from ${keys} as k
      join ${sql.table("checkout_sessions")} as s
        on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
      left join ${sql.table("orders")} as o
        on o.store_id = k.store_id and o.livemode = k.livemode and o.session_id = k.session_id
      where ${behind} and k.body is not null
        and (${name}) <= (${last.key_kind}, ${last.operation}, ${last.idempotency_key})
        and (o.customer_id = ${erasedCustomerId}
          or s.record like ${patternOf({ customer_id: erasedCustomerId })})`.compile(db),
  );
  const blank = replies.map((row) => ({ ...row, body: blankReply(row.body) }));
  const columns = {
    key_kind: "text",
    operation: "text",
    idempotency_key: "text",
    body: "text",
  } as const;
  yield* many(
    sql`
      with b as materialized (
        select * from ${dialect.jsonTable("j", sql<string>`${JSON.stringify(blank)}`, columns)})
      update ${keys} as k set body = b.body from b
      where k.store_id = ${store_id} and k.livemode = ${livemode} and k.key_kind = b.key_kind
        and k.operation = b.operation and k.idempotency_key = b.idempotency_key`.compile(db),
  );

  const { key_kind, idempotency_key } = last;
  return { found: false, after: JSON.stringify([key_kind, last.operation, idempotency_key]) };
}
