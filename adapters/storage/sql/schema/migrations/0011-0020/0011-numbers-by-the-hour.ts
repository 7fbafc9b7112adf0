import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // `hour` is the time in epoch milliseconds at which the UTC hour begins.
  `create table {stats_hours} (store_id $id not null,
    livemode integer not null,
    hour bigint not null,
    kind $id not null,
    currency $id not null,
    count bigint not null,
    amount bigint not null,
    primary key (store_id, livemode, hour, kind, currency))`,
];

/** Makes the table that counts what happened to the orders of each store in each hour. */
export const migration11: Migration = {
  id: 11,
  name: "numbers by the hour",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
