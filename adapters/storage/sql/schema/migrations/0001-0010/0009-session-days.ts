import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // `day` is the time in epoch milliseconds at which the UTC day begins.
  `create table {session_days} (store_id $id not null, livemode integer not null,
    day bigint not null, sessions bigint not null,
    primary key (store_id, livemode, day))`,
  "create index {session_days_to_purge} on {session_days} (day)",
];

/** Counts the sessions that each store got on each day, where the operator bounds them. */
export const migration9: Migration = {
  id: 9,
  name: "session days",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
