import type { Migration } from "../../migration.ts";

/** Gives the due time of a pending delivery, and null for every other delivery. */
export const pendingDue = "case when state = 'pending' then due_at end";

/**
 * Indexes the pending deliveries by their time. Only a query that names the whole
 * expression can use this index, and such a query can use no other one. Without it,
 * PostgreSQL may plan by statistics from an hour when nothing was pending: it would
 * read the whole index of the endpoints' queues and sort it, to find one row.
 */
const indexNamed = (
  name: string,
): string => `create index {${name}} on {deliveries} ((${pendingDue}))
    where (${pendingDue}) is not null`;

export const migration18: Migration = {
  id: 18,
  name: "next delivery",
  compatible_from: 1,
  former_checksums: ["17a5b725"],
  statements: {
    sqlite: ["drop index {deliveries_next}", indexNamed("deliveries_next")],
    postgres: [
      // The drain claims by the old index until the new one is there.
      indexNamed("deliveries_new_next"),
      // Migration 3 tells why: entries of the same time must be marked dead one by one.
      "alter index {=deliveries_new_next} set (deduplicate_items = off)",
      "drop index {=deliveries_next}",
      "alter index {=deliveries_new_next} rename to {deliveries_next}",
    ],
  },
};
