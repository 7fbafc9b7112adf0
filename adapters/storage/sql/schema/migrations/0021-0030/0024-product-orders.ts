import type { SqlDialect } from "../../dialect.ts";
import { jsonInteger, nameBeginning } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/**
 * Makes the indexes of product lists by price and by time. The whole catalog is sorted by
 * fields of the record, which an older process writes too. A category is sorted by columns
 * beside its products. They are null where an older process wrote the row, and an index
 * finds these rows. Another index finds names by how they begin, for searches.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  const field = (name: string): string => jsonInteger(database, "record", name);

  return [
    `create index {products_by_price} on {products}
      (store_id, (${field("price")}), id) where active = 1`,
    `create index {products_by_age} on {products}
      (store_id, (${field("created_at")}), id) where active = 1`,
    `create index {products_by_name} on {products}
      (store_id, (${nameBeginning(database)})) where active = 1`,
    "alter table {product_categories} add column price bigint",
    "alter table {product_categories} add column created_at bigint",
    `create index {product_categories_by_price} on {product_categories}
      (store_id, category_id, price, product_id)`,
    `create index {product_categories_by_age} on {product_categories}
      (store_id, category_id, created_at, product_id)`,
    `create index {product_categories_to_index} on {product_categories}
      (store_id, category_id, product_id) where price is null`,
  ];
}

export const migration24: Migration = {
  id: 24,
  name: "product-orders",
  compatible_from: 1,
  statements: { postgres: statementsOn("postgres"), sqlite: statementsOn("sqlite") },
};
