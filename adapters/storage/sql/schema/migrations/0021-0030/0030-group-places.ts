import type { SqlDialect } from "../../dialect.ts";
import { jsonInteger } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/**
 * Adds the time of the record over which a product's place in its group was written. A process
 * that knows no groups writes the record and its categories, and leaves this column behind: an
 * index finds such products, and is empty otherwise.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  return [
    "alter table {products} add column placed_at bigint",
    `create index {products_to_place} on {products} (store_id, id)
      where ${isMisplaced(database)}`,
  ];
}

/** Writes the condition of products of groups whose records are not those that were placed. */
export function isMisplaced(database: SqlDialect["name"]): string {
  const updatedAt = jsonInteger(database, "record", "updated_at");
  return `group_id is not null and coalesce(placed_at, 0) <> ${updatedAt}`;
}

export const migration30: Migration = {
  id: 30,
  name: "group-places",
  compatible_from: 1,
  statements: { postgres: statementsOn("postgres"), sqlite: statementsOn("sqlite") },
};
