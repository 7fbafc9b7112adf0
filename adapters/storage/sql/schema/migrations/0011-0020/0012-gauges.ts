import type { Migration } from "../../migration.ts";

/**
 * The indexes of what monitoring counts. Each holds only the few rows that are counted, so that it
 * costs a write nothing while all is well.
 */
const indexes: readonly string[] = [
  `create index {payment_attempts_in_doubt} on {payment_attempts} (created_at)
    where state = 'unknown' and check_at is not null`,
  `create index {webhook_endpoints_disabled} on {webhook_endpoints} (store_id, livemode, id)
    where state = 'disabled'`,
];

export const migration12: Migration = {
  id: 12,
  name: "gauges",
  compatible_from: 1,
  statements: {
    sqlite: indexes,
    postgres: indexes,
  },
};
