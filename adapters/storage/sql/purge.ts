import { sql } from "kysely";
import { keyLifetimeMs } from "../../../src/rules/key-lifetime.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { many, type Step } from "./engine/step.ts";

/** No window of a limit is longer than a day. */
const bucketLifetimeMs = 86_400_000;
const notificationLifetimeMs = 30 * 86_400_000;

/** Rows past their time, a bounded number of each kind. */
export function* purge(engine: SqlEngine, now: number, limit: number): Step<number> {
  return (
    (yield* deleteOld(engine, "idempotency_keys", "created_at", now - keyLifetimeMs, limit)) +
    (yield* deleteOld(engine, "rate_buckets", "updated_at", now - bucketLifetimeMs, limit)) +
    (yield* deleteOld(
      engine,
      "gateway_notifications",
      "created_at",
      now - notificationLifetimeMs,
      limit,
    ))
  );
}

/** The age's index finds the oldest ones: their time bounds what is deleted, so that no key of several columns is needed. */
function* deleteOld(
  { db }: SqlEngine,
  table: string,
  column: string,
  before: number,
  limit: number,
): Step<number> {
  const rows = sql.table(table);
  const age = sql.ref(column);
  const oldest = yield* many(
    sql<{
      age: number;
    }>`select ${age} as age from ${rows} where ${age} <= ${before} order by ${age} limit ${limit}`.compile(
      db,
    ),
  );
  const last = oldest.at(-1);
  if (!last) return 0;
  yield* many(sql`delete from ${rows} where ${age} <= ${last.age}`.compile(db));
  return oldest.length;
}
