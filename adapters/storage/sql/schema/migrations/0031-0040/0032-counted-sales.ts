import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // `starts_at` is the time in epoch milliseconds at which the hour, day or week of UTC begins.
  // `subject` is the id of a product, the name of a channel, or says whether customers are new. The
  // key begins like every reading of it, which takes a range of time.
  `create table {counted_sales} (store_id $id not null, livemode integer not null,
    unit $id not null, starts_at bigint not null, kind $id not null, currency $id not null,
    subject $id not null, name text not null,
    orders bigint not null, pieces bigint not null, amount bigint not null,
    primary key (store_id, livemode, unit, starts_at, kind, currency, subject))`,
  // Orders that were paid from `counted_since` until `counted_until` are in counted_sales. The row
  // without a store tells up to which time the stores were walked.
  `create table {sales_rollups} (store_id $id not null, livemode integer not null,
    counted_since bigint not null, counted_until bigint not null, last_store $id not null,
    primary key (store_id, livemode))`,
];

/** Makes the tables for what products, channels and customers brought. Maintenance fills them. */
export const migration32: Migration = {
  id: 32,
  name: "counted-sales",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
