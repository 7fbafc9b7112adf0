import type { DeliveryState } from "../../../../src/rules/webhook-records.ts";
import type { SqlDialect } from "./dialect.ts";

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

/** Makes the index by which a store's deliveries of a rare state are listed, by age. */
export const deliveryStatesSchema: Readonly<Record<Database, readonly string[]>> = {
  postgres: statementsOn("postgres"),
  sqlite: statementsOn("sqlite"),
};
