import { sql } from "kysely";
import { keyLifetimeMs } from "../../../src/rules/key-lifetime.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { many, type QueryGenerator } from "./engine/queries.ts";

const dayMs = 86_400_000;
/** No rate limit has a window that is longer than a day. */
const bucketLifetimeMs = dayMs;
const notificationLifetimeMs = 30 * dayMs;

/**
 * Deletes rows that are past their lifetime, about `limit` of each kind; gives how
 * many.
 */
export function* purge(engine: SqlEngine, now: number, limit: number): QueryGenerator<number> {
  const kinds = [
    { table: "idempotency_keys", column: "created_at", before: now - keyLifetimeMs },
    { table: "rate_buckets", column: "updated_at", before: now - bucketLifetimeMs },
    { table: "gateway_notifications", column: "created_at", before: now - notificationLifetimeMs },
  ];

  let deleted = 0;
  for (const kind of kinds) deleted += yield* deleteOld(engine, { ...kind, limit });
  return deleted;
}

interface OldRows {
  readonly table: string;
  /** The column of the row's time, which has an index. */
  readonly column: string;
  readonly before: number;
  readonly limit: number;
}

/**
 * The column's index finds the oldest rows, and the time of the last of them bounds
 * the deletion: the statement needs no primary key of several columns.
 */
function* deleteOld(
  { db }: SqlEngine,
  { table, column, before, limit }: OldRows,
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
