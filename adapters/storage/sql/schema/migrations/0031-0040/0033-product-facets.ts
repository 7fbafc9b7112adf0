import type { SqlDialect } from "../../dialect.ts";
import { jsonInteger } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/**
 * Adds what facets count of a product, so that no JSON is read for it. `facets_at` is the time of
 * the record that the price and the categories were taken from: an older process writes the record
 * and leaves these columns behind. An index finds such products, and is empty otherwise. It does
 * not look at the documents, which a sale writes.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  return [
    "alter table {products} add column price bigint",
    "alter table {products} add column category_ids text",
    "alter table {products} add column available_live integer",
    "alter table {products} add column available_test integer",
    "alter table {products} add column facets_at bigint",
    `create index {products_to_count} on {products} (store_id, id) where ${isUncounted(database)}`,
  ];
}

/**
 * Writes the condition of products whose columns for facets are not those of their records. By an
 * equation PostgreSQL expects few of them, and reads the index. By `<>` alone it would expect the
 * next row to be one, and read the table.
 */
export function isUncounted(database: SqlDialect["name"]): string {
  const updatedAt = jsonInteger(database, "record", "updated_at");
  return `(case when coalesce(facets_at, -1) <> ${updatedAt} then 1 else 0 end) = 1`;
}

export const migration33: Migration = {
  id: 33,
  name: "product-facets",
  compatible_from: 1,
  statements: { postgres: statementsOn("postgres"), sqlite: statementsOn("sqlite") },
};
