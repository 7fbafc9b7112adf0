import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // `entries` holds JSON.
  `create table {request_blocks} (store_id $id not null, livemode integer not null,
    number bigint not null, places bigint not null, first_id $id not null, last_id $id not null,
    expires_at bigint not null, entries text not null,
    primary key (store_id, livemode, number))`,
  `create unique index {request_blocks_by_request} on {request_blocks}
    (store_id, livemode, last_id)`,
  "create index {request_blocks_to_purge} on {request_blocks} (expires_at)",
];

/** Makes the table of the request log: blocks of requests of one store and mode. */
export const migration17: Migration = {
  id: 17,
  name: "request log",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
