import { type RawBuilder, sql } from "kysely";
import { clockSlackMs, isHitInWindow } from "#core/rules/checkout/limits.ts";
import type { Hit, HitResult, LimitStore } from "#core/storage/limit-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, type Param, prepareRaw } from "../engine/queries.ts";

/**
 * Counts hits. A bucket stores the times of the hits that passed, so no span of the
 * window has more of them than the limit, over all processes.
 */
export function sqlLimits(engine: SqlEngine): LimitStore {
  const hitByHostClock = hitter(engine, (param) => sql`cast(${param("now")} as bigint)`);
  const hitByDatabaseClock = hitter(engine, () => sql.raw(engine.dialect.nowMs));
  return {
    hit: (hit, now) => (now === null ? hitByDatabaseClock : hitByHostClock)(hit, now),
  };
}

function hitter(engine: SqlEngine, clock: (param: Param) => RawBuilder<unknown>) {
  const take = takeQuery(engine, clock);
  const readRefused = refusalQuery(engine, clock);

  return async (hit: Hit, now: number | null): Promise<HitResult> => {
    const { bucket, limit, window_ms } = hit;
    const values = { bucket, limit, window_ms, now };
    const passed = engine.writeOne
      ? (await engine.writeOne(() => take(values)))[0]
      : await engine.writeRelaxed(() => one(take(values)));
    if (passed) return allow(hit, fromJson<number[]>(passed.hits));

    const row = await engine.read(() => one(readRefused(values)));
    return refuse(hit, fromJson<number[]>(row?.hits ?? "[]"), row?.clock ?? 0);
  };
}

/**
 * Counts and adds a hit in one statement: the row is locked before its hits are
 * counted and the clock is read. A refused hit changes nothing, and gives no row.
 */
const takeQuery = ({ db, dialect }: SqlEngine, clock: (param: Param) => RawBuilder<unknown>) =>
  prepareRaw<{ hits: string }>(db, (param) => {
    const now = clock(param);
    const kept = sql`from ${dialect.jsonValues(sql`b.hits`)}
      where cast(value as bigint) > ${now} - ${param("window_ms")}
        and cast(value as bigint) <= ${now} + ${sql.lit(clockSlackMs)}`;
    return sql<{ hits: string }>`
      insert into ${sql.table("rate_buckets")} as b (bucket, hits, updated_at)
      values (${param("bucket")}, '[' || ${now} || ']', ${now})
      on conflict (bucket) do update set
        hits = '[' || coalesce((select ${dialect.joinedValues} ${kept}) || ',', '')
          || ${now} || ']',
        updated_at = excluded.updated_at
      where (select count(*) ${kept}) < ${param("limit")} returning hits`;
  });

const refusalQuery = ({ db }: SqlEngine, clock: (param: Param) => RawBuilder<unknown>) =>
  prepareRaw<{ hits: string; clock: number }>(
    db,
    (param) => sql`
      select hits, ${clock(param)} as clock
      from ${sql.table("rate_buckets")} where bucket = ${param("bucket")}`,
  );

function allow({ limit, window_ms }: Hit, hits: readonly number[]): HitResult {
  const now = hits.at(-1) ?? 0;
  const oldest = hits[0] ?? now;
  return { allowed: true, remaining: limit - hits.length, reset_ms: oldest + window_ms - now };
}

function refuse({ window_ms }: Hit, hits: readonly number[], now: number): HitResult {
  const oldest = hits.find((time) => isHitInWindow(time, now, window_ms));
  // Without a hit in the window, the oldest one has left it between the two statements.
  const reset_ms = oldest === undefined ? 1 : oldest + window_ms - now;
  return { allowed: false, remaining: 0, reset_ms };
}
