import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  "alter table {customer_tokens} add column erased integer not null default 0",
  // It is 1 when the session is past its time, and stays because it has an order.
  "alter table {checkout_sessions} add column kept integer not null default 0",
  `create index {checkout_sessions_to_purge} on {checkout_sessions} (expires_at)
    where status = 'open' and kept = 0`,
];

/**
 * Makes the columns for what is kept of a customer who was erased, and for sessions
 * that are purged.
 */
export const migration7: Migration = {
  id: 7,
  name: "privacy",
  compatible_from: 7,
  statements: {
    postgres: statements,
    sqlite: statements,
  },
};
