import type { SqlDialect } from "../../dialect.ts";
import { jsonInteger, nameBeginning } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/**
 * Makes the indexes of an owner's list of products in other orders than that of the ids. Those of
 * buyers have no drafts. A sale writes no product, and so none of them.
 */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  const field = (name: string): string => jsonInteger(database, "record", name);
  const orders = {
    position: "position",
    price: `(${field("price")})`,
    age: `(${field("created_at")})`,
    name: `(${nameBeginning(database)})`,
  };
  return Object.entries(orders).map(
    ([name, expression]) =>
      `create index {products_own_by_${name}} on {products} (store_id, ${expression}, id)`,
  );
}

export const migration31: Migration = {
  id: 31,
  name: "own-product-orders",
  compatible_from: 1,
  statements: { postgres: statementsOn("postgres"), sqlite: statementsOn("sqlite") },
};
