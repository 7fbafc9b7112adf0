import { sql } from "kysely";
import type { Hit, HitResult, LimitStore } from "../../../src/storage/types.ts";
import type { SqlEngine } from "./engine.ts";
import { fromJson } from "./json.ts";
import { many, one, type Step } from "./step.ts";

/** A bucket holds the times of its passed hits: no span of the window holds more than the limit, over all processes (CONTRACT 9). */
export function sqlLimits(engine: SqlEngine): LimitStore {
  const { db, dialect } = engine;
  const clock = sql<number>`${sql.raw(dialect.nowMs)}`.as("clock");
  const take = ({ bucket, limit, window_ms }: Hit, given: number | null): Promise<HitResult> =>
    engine.write(function* (): Step<HitResult> {
      const known = dialect.forUpdate(db.selectFrom("rate_buckets").select(["hits", clock]).where("bucket", "=", bucket));
      let row = yield* one(known);
      if (!row) {
        yield* many(
          db
            .insertInto("rate_buckets")
            .values({ bucket, hits: "[]", updated_at: given ?? 0 })
            .onConflict((conflict) => conflict.doNothing()),
        );
        row = yield* one(known);
      }
      const passed = fromJson<number[]>(row?.hits ?? "[]");
      // Read before the lock was waited for, the database's time may be older than the last hit's.
      const now = given ?? Math.max(row?.clock ?? 0, passed.at(-1) ?? 0);
      const hits = passed.filter((time) => time > now - window_ms);
      const allowed = hits.length < limit;
      if (allowed) {
        hits.push(now);
        yield* many(
          db
            .updateTable("rate_buckets")
            .set({ hits: JSON.stringify(hits), updated_at: now })
            .where("bucket", "=", bucket),
        );
      }
      return { allowed, remaining: limit - hits.length, reset_ms: (hits[0] ?? now) + window_ms - now };
    });
  return { hit: (hit, now) => take(hit, now), hitNow: (hit) => take(hit, null) };
}
