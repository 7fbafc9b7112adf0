import { sql } from "kysely";
import { dayMs } from "#core/domain/durations.ts";
import { firstIdAt } from "#core/domain/keys/ids.ts";
import { idSlackMs } from "#core/rules/checkout/lifetimes.ts";
import { type StatChange, statOfSessions } from "#core/rules/owner/stats.ts";
import type { CountedHours, StatsQuery } from "#core/storage/reads/stats-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, type QueryGenerator } from "../engine/queries.ts";
import { statsMigrationId } from "../schema/migrations/0011-0020/0016-all-numbers-by-the-hour.ts";
import { migrationTable } from "../schema/table-names.ts";
import { listedRows } from "./listed-rows.ts";
import { createdHour } from "./session-hours.ts";

/** The names of rows that hold no numbers: their `hour` is the newest time not yet counted. */
const uncounted = { orders: "uncounted_orders", deliveries: "uncounted_deliveries" } as const;

/**
 * Reads the numbers of a range of hours. `deletedBefore` is the time before which an
 * older version may have deleted sessions and attempts without counting them.
 */
export function* listHours(
  engine: SqlEngine,
  query: StatsQuery,
  deletedBefore: number | null,
): QueryGenerator<CountedHours> {
  const listed = yield* one(hoursQuery(engine, query));
  const found = rowsOf(listed?.listed ?? "[]");
  const timeOf = (name: string): number | null =>
    found.find(({ kind }) => kind === name)?.hour ?? null;

  const orders = timeOf(uncounted.orders);
  const deliveries = timeOf(uncounted.deliveries);
  return {
    rows: found.filter(isNumber),
    complete_from: {
      orders,
      sessions: latest(orders, deletedBefore),
      deliveries: latest(deliveries, deletedBefore),
    },
  };
}

const latest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

type HourRow = Omit<StatChange, "kind"> & { readonly kind: string };

const listedColumns = ["kind", "currency", "hour", "count", "amount"] as const;

const rowsOf = (listed: string): readonly HourRow[] =>
  fromJson<readonly [string, string, number, number, number][]>(listed).map(
    ([kind, currency, hour, count, amount]) => ({ kind, currency, hour, count, amount }),
  );

const isNumber = (row: HourRow): row is StatChange =>
  row.kind !== uncounted.orders && row.kind !== uncounted.deliveries;

/**
 * Reads the numbers, the sessions that are not rolled up yet and the times that are not
 * counted yet. It is one statement, so that nothing is rolled up or counted between its
 * parts. The ids have one lower bound: beside a second one, PostgreSQL would expect far
 * more sessions, and read the whole table.
 */
function hoursQuery(engine: SqlEngine, query: StatsQuery) {
  const { db, dialect } = engine;
  const { from, to } = query;
  const { store_id, livemode } = partitionColumns(query);
  const { kind, currency } = statOfSessions(0, 0);
  const { hour, created_at } = createdHour(dialect.name);
  const firstId = firstIdAt("cs", from - idSlackMs);
  const rollup = sql`from ${sql.table("session_rollups")}
    where store_id = ${store_id} and livemode = ${livemode}`;

  const rows = sql`
    ${query.starts ? sumsOf(engine, query, query.starts) : hoursOf(query)}
    union all
    select ${sql.lit(kind)}, ${sql.lit(currency)}, hour, count(*), 0
    from (
      select ${hour} as hour from ${sql.table("checkout_sessions")}
      where store_id = ${store_id} and livemode = ${livemode}
        and id >= coalesce((select first_id ${rollup} and first_id > ${firstId}), ${firstId})
        and id < ${firstIdAt("cs", to + idSlackMs)}
        and ${created_at} >= coalesce((select until ${rollup} and until > ${from}), ${from})
        and ${created_at} < ${to}
    ) as created
    group by hour
    union all
    select ${sql.lit(uncounted.orders)}, '', newest, 0, 0
    from (
      select updated_at as newest from ${sql.table("orders")}
      where store_id = ${store_id} and livemode = ${livemode} and in_stats is null
      order by updated_at desc limit 1
    ) as orders_to_count
    union all
    select ${sql.lit(uncounted.deliveries)}, '', newest, 0, 0
    from (
      select started_at as newest from ${sql.table("delivery_attempts")}
      where store_id = ${store_id} and in_stats is null
      order by started_at desc limit 1
    ) as attempts_to_count`;
  return listedRows(dialect.name, rows, listedColumns).compile(db);
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
 * each of them a range of the primary key. The limit, which cuts nothing off, keeps SQLite
 * from reading the JSON again at each row of an interval: it halves the time.
 */
function sumsOf(
  { dialect }: SqlEngine,
  { to, ...partition }: StatsQuery,
  starts: readonly number[],
) {
  const { store_id, livemode } = partitionColumns(partition);
  const intervals = starts.map((start, index) => ({ start, until: starts[index + 1] ?? to }));
  const columns = { start: "bigint", until: "bigint" } as const;
  const listed = dialect.jsonTable("listed", sql<string>`${JSON.stringify(intervals)}`, columns);

  return sql`
    select counted.kind, counted.currency, part.start as hour,
      cast(sum(counted.count) as bigint) as count, cast(sum(counted.amount) as bigint) as amount
    from (select * from ${listed} limit ${intervals.length}) as part
    cross join ${sql.table("hourly_stats")} as counted
    where counted.store_id = ${store_id} and counted.livemode = ${livemode}
      and counted.hour >= part.start and counted.hour < part.until
    group by counted.kind, counted.currency, part.start`;
}

const keptMs = 30 * dayMs;

/**
 * Finds the time before which an older version may have deleted sessions and attempts
 * that nobody had counted: it kept them for 30 days. Null when there was none.
 */
export function* findDeletedBefore({ db }: SqlEngine): QueryGenerator<number | null> {
  const migrated = yield* one(
    sql<{ first: number; counting: number }>`
      select min(applied_at) as first,
        max(case when id = ${sql.lit(statsMigrationId)} then applied_at end) as counting
      from ${sql.table(migrationTable)}`.compile(db),
  );
  if (!migrated) return null;

  const kept = migrated.counting - keptMs;
  return migrated.first < kept ? kept : null;
}
