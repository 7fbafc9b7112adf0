import { sql } from "kysely";
import { hourMs, minuteMs } from "#core/domain/durations.ts";
import { firstIdAt } from "#core/domain/keys/ids.ts";
import { idSlackMs } from "#core/rules/checkout/lifetimes.ts";
import { startOfHour, statOfSessions } from "#core/rules/owner/stats.ts";
import type { Partition } from "#core/rules/records.ts";
import { statsWriter } from "../access/add-stats.ts";
import { ofPartition, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { lockRollup, type Rollup } from "../orders/rollup-lock.ts";
import { createdHour } from "./session-hours.ts";
import { moveLooked, readLooked } from "./session-rollups.ts";

/** A session is written this long after its creation at the latest. */
const writtenAfterMs = 10 * minuteMs;

/** The most hours that one statement counts. */
const hoursAtOnce = 24;

/** A range of time that is bounded by the end of the sessions in it. */
interface Slice {
  readonly after: number;
  readonly until: number;
}

/**
 * Counts the sessions of past hours. Each store and mode has a time of its own, up
 * to which its sessions are counted. The stores are found by their unfinished
 * sessions. A store whose sessions were all paid is found later or never; its
 * numbers are right meanwhile, because reads count what is not rolled up.
 */
export function sessionRollup(engine: SqlEngine) {
  const rollUp = partitionRollup(engine);

  return async (now: number, limit: number): Promise<number> => {
    const bound = startOfHour(now - writtenAfterMs);
    let counted = 0;

    // A slice counts nothing when all its stores are already rolled up past it:
    // then the next one is taken.
    while (counted === 0) {
      const slice = await engine.read(() => nextSlice(engine, bound));
      if (!slice) break;

      const found = await engine.read(() => findPartitions(engine, slice, limit));
      for (const partition of found) counted += await engine.write(() => rollUp(partition, bound));
      if (found.length < limit) await engine.write(() => moveLooked(engine, slice.until));
    }
    return counted;
  };
}

/**
 * Gives the next hour at most, from the first session that is not counted yet. Gives null when
 * there is none.
 */
function* nextSlice({ db }: SqlEngine, bound: number): QueryGenerator<Slice | null> {
  const after = yield* readLooked(db);
  const first = yield* one(
    db
      .selectFrom("checkout_sessions")
      .select("expires_at")
      .where(isUnfinished)
      .where("expires_at", ">", after)
      .where("expires_at", "<=", bound)
      .orderBy("expires_at")
      .limit(1),
  );
  return first ? { after, until: Math.min(bound, startOfHour(first.expires_at) + hourMs) } : null;
}

/** Repeats the condition of the index `checkout_sessions_to_purge`. */
const isUnfinished = sql<boolean>`status = 'open' and kept = 0`;

/** Finds stores and modes with sessions in the slice that are not rolled up past the slice. */
function* findPartitions(
  { db }: SqlEngine,
  { after, until }: Slice,
  limit: number,
): QueryGenerator<readonly Partition[]> {
  const rows = yield* many(
    sql<{ store_id: string; livemode: 0 | 1 }>`
      select s.store_id, s.livemode
      from ${sql.table("checkout_sessions")} as s
      left join ${sql.table("session_rollups")} as r
        on r.store_id = s.store_id and r.livemode = s.livemode
      where ${isUnfinished} and s.expires_at > ${after} and s.expires_at <= ${until}
        and coalesce(r.until, 0) < ${until}
      group by s.store_id, s.livemode limit ${limit}`.compile(db),
  );
  return rows.map(({ store_id, livemode }) => ({ store_id, livemode: livemode === 1 }));
}

/** Counts the sessions of a store and mode that were created before `bound`, and gives how many. */
function partitionRollup(engine: SqlEngine) {
  const { db, dialect } = engine;
  const addStats = statsWriter(engine);
  const { created_at, hour } = createdHour(dialect.name);
  const ofPartition = (partition: Partition) => {
    const { store_id, livemode } = partitionColumns(partition);
    return sql`${sql.table("checkout_sessions")}
      where store_id = ${store_id} and livemode = ${livemode}`;
  };

  function* firstHour(partition: Partition, from: Rollup): QueryGenerator<number | null> {
    const first = yield* one(
      sql<{ created: number }>`
        select ${created_at} as created from ${ofPartition(partition)}
          and id >= ${from.first_id} and ${created_at} >= ${from.until}
        order by id limit 1`.compile(db),
    );
    return first ? Math.max(from.until, startOfHour(first.created - idSlackMs)) : null;
  }

  function* countHours(partition: Partition, from: number, to: number): QueryGenerator<number> {
    const hours = yield* many(
      sql<{ hour: number; count: number }>`
        select hour, count(*) as count
        from (
          select ${hour} as hour from ${ofPartition(partition)}
            and id >= ${firstIdAt("cs", from - idSlackMs)}
            and id < ${firstIdAt("cs", to + idSlackMs)}
            and ${created_at} >= ${from} and ${created_at} < ${to}
        ) as created
        group by hour order by hour`.compile(db),
    );
    const counted = hours.map((row) => statOfSessions(row.hour, row.count));
    yield* addStats(partition, counted);
    return counted.reduce((sum, { count }) => sum + count, 0);
  }

  return function* rollUp(partition: Partition, bound: number): QueryGenerator<number> {
    let at = yield* lockRollup(engine, partition);
    if (at.until >= bound) return 0;

    let counted = 0;
    while (at.until < bound) {
      const from = yield* firstHour(partition, at);
      const to = from === null ? bound : Math.min(bound, from + hoursAtOnce * hourMs);
      if (from !== null) counted += yield* countHours(partition, from, to);
      at = { until: to, first_id: firstIdAt("cs", to - idSlackMs) };
    }
    yield* putRollup(engine, partition, at);
    return counted;
  };
}

function* putRollup({ db }: SqlEngine, partition: Partition, at: Rollup): QueryGenerator<void> {
  yield* many(db.updateTable("session_rollups").set(at).where(ofPartition(partition)));
}
