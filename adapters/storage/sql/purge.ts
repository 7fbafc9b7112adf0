import { sql } from "kysely";
import { dayMs } from "#core/domain/durations.ts";
import {
  keptMessageMs,
  keptSessionDayMs,
  keptSessionMs,
  keyLifetimeMs,
} from "#core/rules/checkout/lifetimes.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { many, type QueryGenerator } from "./engine/queries.ts";
import type { Tables } from "./schema/tables.ts";
import { countedBefore } from "./stats/session-rollups.ts";

/** No rate limit has a window that is longer than a day. */
const bucketLifetimeMs = dayMs;

/** Deletes rows that are past their lifetime, about `limit` of each kind, and gives how many. */
export function* purge(engine: SqlEngine, now: number, limit: number): QueryGenerator<number> {
  const deleted = yield* purgeByAge(engine, now, limit);
  const before = yield* countedBefore(engine.db, now - keptSessionMs);
  return deleted + (yield* deleteOldSessions(engine, before, limit));
}

/** Deletes the rows whose age alone decides. */
function* purgeByAge(engine: SqlEngine, now: number, limit: number): QueryGenerator<number> {
  let deleted = 0;
  for (const kind of oldKinds(now)) deleted += yield* deleteOld(engine, { ...kind, limit });
  return deleted;
}

/** Lists the kinds of rows that are deleted by age alone, and the age limit of each. */
export const oldKinds = (now: number): readonly OldKind[] => [
  { table: "idempotency_keys", column: "created_at", before: now - keyLifetimeMs },
  { table: "rate_buckets", column: "updated_at", before: now - bucketLifetimeMs },
  { table: "session_days", column: "day", before: now - keptSessionDayMs },
  { table: "gateway_notifications", column: "created_at", before: now - keptMessageMs },
  { table: "dashboard_links", column: "expires_at", before: now },
  { table: "dashboard_sessions", column: "expires_at", before: now },
  { table: "dashboard_forms", column: "expires_at", before: now },
  { table: "request_blocks", column: "expires_at", before: now },
];

interface SessionName {
  readonly store: string;
  readonly mode: 0 | 1;
  readonly id: string;
}

/**
 * Deletes old sessions without an order. The lock comes first, so that the second
 * statement sees an order that a payment has written meanwhile. A session with an
 * order is marked, and not looked at again.
 */
function* deleteOldSessions(
  { db, dialect }: SqlEngine,
  before: number,
  limit: number,
): QueryGenerator<number> {
  const sessions = sql.table("checkout_sessions");
  const old = yield* many(
    sql<SessionName>`
      select s.store_id as store, s.livemode as mode, s.id from ${sessions} as s
      where s.status = 'open' and s.kept = 0 and s.expires_at <= ${before}
      order by s.expires_at limit ${limit} ${dialect.skipLockedText}`.compile(db),
  );
  if (old.length === 0) return 0;

  const columns = { store: "text", mode: "bigint", id: "text" } as const;
  const picked = sql`(store_id, livemode, id) in (
    select p.store, p.mode, p.id
    from ${dialect.jsonTable("p", sql<string>`${JSON.stringify(old)}`, columns)})`;
  const deleted = yield* many(
    sql`
      delete from ${sessions} as s where ${picked} and not exists (
        select 1 from ${sql.table("orders")} as o
        where o.store_id = s.store_id and o.livemode = s.livemode and o.session_id = s.id)
      returning 1 as done`.compile(db),
  );
  if (deleted.length < old.length)
    yield* many(sql`update ${sessions} set kept = 1 where ${picked}`.compile(db));
  return deleted.length;
}

export interface OldKind {
  readonly table: keyof Tables;
  /** The column of the row's time. It has an index. */
  readonly column: string;
  readonly before: number;
}

/**
 * Deletes the oldest rows. The column's index finds them, and the time of the last
 * of them bounds the deletion: the statement needs no primary key of several
 * columns.
 */
export function* deleteOld(
  { db }: SqlEngine,
  { table, column, before, limit }: OldKind & { readonly limit: number },
): QueryGenerator<number> {
  const rows = sql.table(table);
  const time = sql.ref(column);

  const oldest = yield* many(
    sql<{ time: number }>`
      select ${time} as time from ${rows} where ${time} <= ${before}
      order by ${time} limit ${limit}`.compile(db),
  );
  const last = oldest.at(-1);
  if (!last) return 0;

  yield* many(sql`delete from ${rows} where ${time} <= ${last.time}`.compile(db));
  return oldest.length;
}
