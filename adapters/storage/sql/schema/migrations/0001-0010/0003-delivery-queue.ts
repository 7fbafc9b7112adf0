import type { Migration } from "../../migration.ts";

/**
 * These statements turn deduplication off. Many deliveries become due in one
 * millisecond. PostgreSQL would keep them as one index entry with a list of rows,
 * which cannot be marked dead before all of its rows are: each claim would walk
 * past all deliveries that were sent already.
 */
const withoutDeduplication = [
  "alter index {=deliveries_due} set (deduplicate_items = off)",
  "alter index {=deliveries_next} set (deduplicate_items = off)",
];

export const migration3: Migration = {
  id: 3,
  name: "delivery queue",
  compatible_from: 1,
  statements: { sqlite: [], postgres: withoutDeduplication },
};
