import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // Null means that an older version wrote the order, and maintenance has not indexed it yet.
  "alter table {orders} add column created_at bigint",
  `create index {orders_by_creation} on {orders} (store_id, livemode, created_at, number)
    where created_at is not null`,
  `create index {orders_to_index} on {orders} (store_id, livemode, number)
    where created_at is null`,
  `create table {order_terms} (store_id $id not null, livemode integer not null,
    term $id not null, number bigint not null,
    primary key (store_id, livemode, term, number))`,
  `create table {customer_totals} (store_id $id not null, livemode integer not null,
    customer_id $id not null, currency $id not null, orders bigint not null, spent bigint not null,
    primary key (store_id, livemode, customer_id, currency))`,
  `create table {order_notes} (store_id $id not null, livemode integer not null,
    order_id $id not null, id $id not null, body text not null, created_at bigint not null,
    primary key (store_id, livemode, order_id, id))`,
];

/** The tables by which the back office finds orders and customers, and those of owners' notes. */
export const migration10: Migration = {
  id: 10,
  name: "order search",
  compatible_from: 1,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
