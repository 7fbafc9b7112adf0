import type { HitResult, LimitStore } from "../../../src/storage/types.ts";
import type { SqlEngine } from "./engine.ts";
import { fromJson } from "./json.ts";
import { many, one, type Step } from "./step.ts";

/** A bucket holds the times of its passed hits: no span of the window holds more than the limit, over all processes (CONTRACT 9). */
export function sqlLimits(engine: SqlEngine): LimitStore {
  const { db, dialect } = engine;
  return {
    hit: ({ bucket, limit, window_ms }, now) =>
      engine.write(function* (): Step<HitResult> {
        const known = dialect.forUpdate(db.selectFrom("rate_buckets").select("hits").where("bucket", "=", bucket));
        let row = yield* one(known);
        if (!row) {
          yield* many(
            db
              .insertInto("rate_buckets")
              .values({ bucket, hits: "[]", updated_at: now })
              .onConflict((conflict) => conflict.doNothing()),
          );
          row = yield* one(known);
        }
        const hits = fromJson<number[]>(row?.hits ?? "[]").filter((time) => time > now - window_ms);
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
      }),
  };
}
