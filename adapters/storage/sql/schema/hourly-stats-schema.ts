import type { SqlDialect } from "./dialect.ts";

// `in_stats` is 1 once a row is counted. Null: an older version wrote it. The table is a new one,
// because `stats_hours` holds some orders of that version and not others.

const statements: readonly string[] = [
  // `hour` is the time in epoch milliseconds at which the UTC hour begins.
  `create table {hourly_stats} (store_id $id not null, livemode integer not null,
    hour bigint not null, kind $id not null, currency $id not null,
    count bigint not null, amount bigint not null,
    primary key (store_id, livemode, hour, kind, currency))`,
  // Sessions that were created before `until` are in hourly_stats, and their ids are smaller than
  // those from `first_id` on. The row without a store tells how far all stores were looked at.
  `create table {session_rollups} (store_id $id not null, livemode integer not null,
    until bigint not null, first_id $id not null, primary key (store_id, livemode))`,
  "alter table {orders} add column in_stats integer",
  `create index {orders_to_count} on {orders} (store_id, livemode, updated_at)
    where in_stats is null`,
  "alter table {delivery_attempts} add column in_stats integer",
  `create index {delivery_attempts_to_count} on {delivery_attempts} (store_id, started_at)
    where in_stats is null`,
];

/** What is counted of each store in each hour, and what is yet to be counted. */
export const hourlyStatsSchema: Readonly<Record<SqlDialect["name"], readonly string[]>> = {
  postgres: statements,
  sqlite: statements,
};
