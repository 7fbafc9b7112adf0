import type { DeliveryState } from "#core/rules/webhooks/webhook-records.ts";
import type { SqlDialect } from "../../dialect.ts";
import type { Migration } from "../../migration.ts";

type Database = SqlDialect["name"];

/**
 * Lists the states of few deliveries, which a list could find among a million
 * others only by reading them all. PostgreSQL finds the pending ones by
 * `deliveries_due`, and is spared one more index entry for each delivery that is
 * written.
 */
export const rareStates: Readonly<Record<Database, readonly DeliveryState[]>> = {
  postgres: ["exhausted", "skipped"],
  sqlite: ["exhausted", "skipped", "pending"],
};

/** Gives a rare state, and null for any other. */
export const rareState = (database: Database): string =>
  `case when state in (${rareStates[database].map((state) => `'${state}'`).join(", ")})
    then state end`;

/**
 * Makes the index. Only a query that names the whole expression can use it: no
 * claim is planned by it.
 */
const statementsOn = (database: Database): readonly string[] => [
  `create index {deliveries_by_state} on {deliveries}
    ((${rareState(database)}), store_id, livemode, created_at, event_id, endpoint_id)
    where (${rareState(database)}) is not null`,
];

// Null means that the key was not used since this migration.
const keyUses: readonly string[] = ["alter table {api_keys} add column last_used_at bigint"];

/**
 * Adds the time at which a key was last used, and the index by which a store's
 * deliveries of a rare state are listed, by age.
 */
export const migration19: Migration = {
  id: 19,
  name: "key uses and delivery states",
  compatible_from: 1,
  statements: {
    postgres: [...keyUses, ...statementsOn("postgres")],
    sqlite: [...keyUses, ...statementsOn("sqlite")],
  },
};
