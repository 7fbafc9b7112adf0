import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  // The index has no condition `orders > 0`: a planner uses such an index only for a statement with
  // the number in its text, and ours has a parameter. Few rows have no orders.
  `create index {customer_totals_by_spent} on {customer_totals}
    (store_id, livemode, currency, spent, customer_id)`,
];

/** Makes the index of an owner's list of customers by what they have spent in a currency. */
export const migration34: Migration = {
  id: 34,
  name: "customers-by-spent",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
