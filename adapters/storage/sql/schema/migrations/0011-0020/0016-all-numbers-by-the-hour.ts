import type { Migration } from "../../migration.ts";

// `in_stats` is 1 once a row is counted, and null in a row that an older version wrote. The table
// is new, because `stats_hours` holds only some of the orders of that version.

const statements: readonly string[] = [
  // `hour` is the time in epoch milliseconds at which the UTC hour begins.
  `create table {hourly_stats} (store_id $id not null, livemode integer not null,
    hour bigint not null, kind $id not null, currency $id not null,
    count bigint not null, amount bigint not null,
    primary key (store_id, livemode, hour, kind, currency))`,
  // Sessions that were created before `until` are in hourly_stats, and their ids are smaller than
  // `first_id`. The row without a store tells up to which time all stores were checked.
  `create table {session_rollups} (store_id $id not null, livemode integer not null,
    until bigint not null, first_id $id not null, primary key (store_id, livemode))`,
  "alter table {orders} add column in_stats integer",
  `create index {orders_to_count} on {orders} (store_id, livemode, updated_at)
    where in_stats is null`,
  "alter table {delivery_attempts} add column in_stats integer",
  `create index {delivery_attempts_to_count} on {delivery_attempts} (store_id, started_at)
    where in_stats is null`,
];

/** Since the time of this migration, sessions and deliveries are counted. */
export const statsMigrationId = 16;

/** Makes the tables for what was counted in each store and hour, and for what is still to count. */
export const migration16: Migration = {
  id: statsMigrationId,
  name: "all numbers by the hour",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
