import { sql } from "kysely";
import { firstIdAt } from "../../../../src/domain/ids.ts";
import { idSlackMs } from "../../../../src/rules/lifetimes.ts";
import type { Partition } from "../../../../src/rules/records.ts";
import { type StatChange, type StatKind, statOfSessions } from "../../../../src/rules/stats.ts";
import type {
  CompleteFrom,
  CountedHours,
  StatsQuery,
} from "../../../../src/storage/stats-store.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { statsMigrationId } from "../migrations.ts";
import { migrationTable } from "../schema/table-names.ts";
import { createdHour } from "./session-hours.ts";

const keptMs = 30 * 86_400_000;

export function* listHours(engine: SqlEngine, query: StatsQuery): QueryGenerator<CountedHours> {
  const rows = yield* many(hoursQuery(engine, query));
  return {
    rows: rows.map((row) => ({ ...row, kind: row.kind as StatKind })),
    complete_from: yield* findCompleteFrom(engine, query),
  };
}

type HourRow = Omit<StatChange, "kind"> & { readonly kind: string };

/**
 * Reads the numbers and the sessions that are not rolled up yet, in one statement,
 * so that no roll-up runs between the two reads.
 */
function hoursQuery(engine: SqlEngine, query: StatsQuery) {
  const { db, dialect } = engine;
  const { from, to } = query;
  const { store_id, livemode } = partitionColumns(query);
  const { kind, currency } = statOfSessions(0, 0);
  const { hour, created_at } = createdHour(dialect.name);
  const rollup = sql`from ${sql.table("session_rollups")}
    where store_id = ${store_id} and livemode = ${livemode}`;

  return sql<HourRow>`
    ${query.starts ? sumsOf(engine, query, query.starts) : hoursOf(query)}
    union all
    select ${sql.lit(kind)}, ${sql.lit(currency)}, hour, count(*), 0
    from (
      select ${hour} as hour from ${sql.table("checkout_sessions")}
      where store_id = ${store_id} and livemode = ${livemode}
        and id >= coalesce((select first_id ${rollup}), '')
        and id >= ${firstIdAt("cs", from - idSlackMs)}
        and id < ${firstIdAt("cs", to + idSlackMs)}
        and ${created_at} >= coalesce((select until ${rollup}), 0)
        and ${created_at} >= ${from} and ${created_at} < ${to}
    ) as created
    group by hour`.compile(db);
}

function hoursOf({ from, to, ...partition }: StatsQuery) {
  const { store_id, livemode } = partitionColumns(partition);
  return sql`select kind, currency, hour, count, amount from ${sql.table("hourly_stats")}
    where store_id = ${store_id} and livemode = ${livemode}
      and hour >= ${from} and hour < ${to}`;
}

/**
 * Adds up the hours of each interval, so that half a year by the day is a thousand rows in
 * place of thirty thousand. `cross join` keeps SQLite's order: the intervals first, and for
 * each of them a range of the primary key.
 */
function sumsOf(
  { dialect }: SqlEngine,
  { to, ...partition }: StatsQuery,
  starts: readonly number[],
) {
  const { store_id, livemode } = partitionColumns(partition);
  const intervals = starts.map((start, index) => ({ start, until: starts[index + 1] ?? to }));
  const columns = { start: "bigint", until: "bigint" } as const;

  return sql`
    select counted.kind, counted.currency, part.start as hour,
      cast(sum(counted.count) as bigint) as count, cast(sum(counted.amount) as bigint) as amount
    from ${dialect.jsonTable("part", sql<string>`${JSON.stringify(intervals)}`, columns)}
    cross join ${sql.table("hourly_stats")} as counted
    where counted.store_id = ${store_id} and counted.livemode = ${livemode}
      and counted.hour >= part.start and counted.hour < part.until
    group by counted.kind, counted.currency, part.start`;
}

/**
 * Finds the newest time of rows that an older version wrote and that are not
 * counted yet. That version may have deleted rows before they were counted, but
 * only sessions and attempts older than 30 days.
 */
function* findCompleteFrom({ db }: SqlEngine, partition: Partition): QueryGenerator<CompleteFrom> {
  const { store_id, livemode } = partitionColumns(partition);
  const order = yield* one(
    db
      .selectFrom("orders")
      .select("updated_at as time")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("in_stats", "is", null)
      .orderBy("updated_at", "desc")
      .limit(1),
  );
  const attempt = yield* one(
    db
      .selectFrom("delivery_attempts")
      .select("started_at as time")
      .where("store_id", "=", store_id)
      .where("in_stats", "is", null)
      .orderBy("started_at", "desc")
      .limit(1),
  );
  const migrated = yield* one(
    sql<{ first: number; counting: number }>`
      select min(applied_at) as first,
        max(case when id = ${sql.lit(statsMigrationId)} then applied_at end) as counting
      from ${sql.table(migrationTable)}`.compile(db),
  );

  const kept = migrated ? migrated.counting - keptMs : 0;
  const deleted = migrated && migrated.first < kept ? kept : null;
  const orders = order?.time ?? null;
  const deliveries = attempt?.time ?? null;
  return { orders, sessions: latest(orders, deleted), deliveries: latest(deliveries, deleted) };
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
