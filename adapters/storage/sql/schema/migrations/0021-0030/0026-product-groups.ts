import type { SqlDialect } from "../../dialect.ts";
import { jsonInteger } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/**
 * Adds what finds a product by its group, its SKU and its id in another shop, and what lists one
 * product of each group: `group_hidden` is 1 where another one stands for the group, and null
 * elsewhere, so that rows from before need no filling. An older process leaves these columns as
 * they are: groups are made once all processes know them.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  const field = (name: string): string => jsonInteger(database, "record", name);
  const shown = "where active = 1 and group_hidden is null";

  return [
    "alter table {products} add column group_id $id",
    "alter table {products} add column combination $id",
    "alter table {products} add column sku $id",
    "alter table {products} add column external_id $id",
    "alter table {products} add column group_hidden integer",
    `create unique index {products_by_group} on {products} (store_id, group_id, combination)
      where group_id is not null`,
    `create unique index {products_by_sku} on {products} (store_id, sku) where sku is not null`,
    `create unique index {products_by_external_id} on {products} (store_id, external_id)
      where external_id is not null`,
    `create index {products_first_in_order} on {products} (store_id, position, id) ${shown}`,
    `create index {products_first_by_price} on {products}
      (store_id, (${field("price")}), id) ${shown}`,
    `create index {products_first_by_age} on {products}
      (store_id, (${field("created_at")}), id) ${shown}`,
    "alter table {product_categories} add column group_hidden integer",
    ...["position", "price", "created_at"].map(
      (column) => `create index {product_categories_first_by_${column}} on {product_categories}
        (store_id, category_id, ${column}, product_id) where group_hidden is null`,
    ),
  ];
}

export const migration26: Migration = {
  id: 26,
  name: "product-groups",
  compatible_from: 1,
  statements: { postgres: statementsOn("postgres"), sqlite: statementsOn("sqlite") },
};
