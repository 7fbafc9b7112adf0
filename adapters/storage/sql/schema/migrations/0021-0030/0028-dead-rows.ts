import type { Migration } from "../../migration.ts";

/** Each row of these tables is changed several times in its first minutes. */
const busyTables = [
  "deliveries",
  "webhook_endpoints",
  "alert_notices",
  "checkout_sessions",
  "orders",
  "payment_attempts",
  "idempotency_keys",
  "stock",
  "hourly_stats",
];

/**
 * Autovacuum comes to a table when so many of its rows have died. By the server's usual setting
 * that is a fifth of all rows, which a table of many old rows seldom reaches.
 */
const vacuumSoon = busyTables.map(
  (table) => `alter table {${table}} set (autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05)`,
);

/** An erasure that has begun and not ended, and the place where it goes on. */
const createErasures = `create table {erasures} (store_id $id not null, customer_id $id not null,
    customer_keys text not null, position text not null, touched_at bigint not null,
    primary key (store_id, customer_id))`;

export const migration28: Migration = {
  id: 28,
  name: "dead rows and long erasures",
  compatible_from: 1,
  statements: {
    sqlite: [createErasures],
    postgres: [
      createErasures,
      // A claim goes on behind the last delivery that it leased, of many that are due at one time.
      `create index {deliveries_new_due} on {deliveries} (endpoint_id, due_at, event_id)
        where state = 'pending'`,
      // Migration 3 tells why: entries of the same time must be marked dead one by one.
      "alter index {=deliveries_new_due} set (deduplicate_items = off)",
      "drop index {=deliveries_due}",
      "alter index {=deliveries_new_due} rename to {deliveries_due}",
      ...vacuumSoon,
    ],
  },
};
