import { type RawBuilder, sql } from "kysely";
import type { Hit, HitResult, LimitStore } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson } from "../engine/json.ts";
import { one, type Place, prepareRaw } from "../engine/step.ts";

/** A bucket holds the times of its passed hits: no span of the window holds more than the limit, over all processes (CONTRACT 9). */
export function sqlLimits(engine: SqlEngine): LimitStore {
  const byOurs = createTake(engine, (place) => sql`cast(${place("now")} as bigint)`);
  const byTheirs = createTake(engine, () => sql.raw(engine.dialect.nowMs));
  return { hit: (hit, now) => byOurs(hit, now), hitNow: (hit) => byTheirs(hit, null) };
}

/** In one statement: the row is locked before its hits are counted and the clock is read. A refused hit changes nothing. */
function createTake(engine: SqlEngine, clock: (place: Place) => RawBuilder<unknown>) {
  const { db, dialect } = engine;
  const take = prepareRaw<{ hits: string }>(db, (place) => {
    const now = clock(place);
    const kept = sql`from ${dialect.elements(sql`b.hits`)} where cast(value as bigint) > ${now} - ${place("window_ms")}`;
    return sql<{ hits: string }>`
      insert into ${sql.table("rate_buckets")} as b (bucket, hits, updated_at) values (${place("bucket")}, '[' || ${now} || ']', ${now})
      on conflict (bucket) do update set hits = '[' || coalesce((select ${dialect.joined} ${kept}) || ',', '') || ${now} || ']', updated_at = excluded.updated_at
      where (select count(*) ${kept}) < ${place("limit")} returning hits`;
  });
  const refused = prepareRaw<{ hits: string; clock: number }>(
    db,
    (place) =>
      sql`select hits, ${clock(place)} as clock from ${sql.table("rate_buckets")} where bucket = ${place("bucket")}`,
  );

  return async ({ bucket, limit, window_ms }: Hit, now: number | null): Promise<HitResult> => {
    const values = { bucket, limit, window_ms, now };
    const passed = engine.writeOne
      ? (await engine.writeOne(() => take(values)))[0]
      : await engine.writeLoosely(() => one(take(values)));
    if (passed) {
      const hits = fromJson<number[]>(passed.hits);
      const at = hits.at(-1) ?? 0;
      return {
        allowed: true,
        remaining: limit - hits.length,
        reset_ms: (hits[0] ?? at) + window_ms - at,
      };
    }
    const row = await engine.read(() => one(refused(values)));
    const at = row?.clock ?? 0;
    const oldest = fromJson<number[]>(row?.hits ?? "[]").find((time) => time > at - window_ms);
    return {
      allowed: false,
      remaining: 0,
      reset_ms: oldest === undefined ? 1 : oldest + window_ms - at,
    }; // 1: it has left meanwhile
  };
}
