import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  "alter table {subscriptions} add column charge_at bigint",
  `create index {subscriptions_charging} on {subscriptions} (charge_at)
    where charge_at is not null`,
];

/**
 * Adds the time at which maintenance charges a subscription. A process of an older version
 * changes neither the column nor the field of the record.
 */
export const migration23: Migration = {
  id: 23,
  name: "renewals",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
