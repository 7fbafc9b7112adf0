import type { Migration } from "../../migration.ts";

// These columns tell what a session holds before its order is made. They also keep
// stock whose counting has ended: its row stays, because it tells what is held.

const statements: readonly string[] = [
  "alter table {stock} add column counted integer not null default 1",
  "alter table {checkout_sessions} add column sweep_at bigint",
  `create index {checkout_sessions_to_sweep} on {checkout_sessions} (sweep_at)
    where sweep_at is not null`,
  `create table {open_holds} (store_id $id not null, livemode integer not null,
    address $id not null, open bigint not null,
    primary key (store_id, livemode, address))`,
];

export const migration6: Migration = {
  id: 6,
  name: "holds",
  compatible_from: 6,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
