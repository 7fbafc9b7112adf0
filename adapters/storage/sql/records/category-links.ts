import { sql } from "kysely";
import type { CategoryRecord, ProductRecord } from "#core/rules/records.ts";
import { linkedProducts } from "../catalog/list.ts";
import { writeProducts } from "../catalog/owner/product-rows.ts";
import { fromJson } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

/** Reads the products of a category. */
export function* productsIn(
  engine: SqlEngine,
  store_id: string,
  category_id: string,
): QueryGenerator<readonly ProductRecord[]> {
  const linked = linkedProducts(engine, sql.val(store_id), sql.val(category_id));
  const rows = yield* many(linked.select("p.record"));
  return rows.map((row) => fromJson<ProductRecord>(row.record));
}

/**
 * Takes a deleted category out of its products and away from its children. The products
 * are read under the lock of the store's row: until then, others could add some.
 */
export function* removeCategory(
  engine: SqlEngine,
  { store_id, id }: CategoryRecord,
): QueryGenerator<void> {
  yield* detachChildren(engine.db, store_id, id);

  const products = yield* productsIn(engine, store_id, id);
  const withoutCategory = products.map((product) => ({
    ...product,
    category_ids: product.category_ids.filter((other) => other !== id),
  }));
  yield* writeProducts(engine, store_id, withoutCategory);
}

/** Makes the children of a deleted category categories without a parent. */
function* detachChildren(db: Db, store_id: string, parent_id: string): QueryGenerator<void> {
  const categories = db.selectFrom("categories").select("record").where("store_id", "=", store_id);

  for (const child of (yield* many(categories)).map((row) =>
    fromJson<CategoryRecord>(row.record),
  )) {
    if (child.parent_id !== parent_id) continue;
    const record = JSON.stringify({ ...child, parent_id: null });
    yield* many(
      db
        .updateTable("categories")
        .set({ record })
        .where("store_id", "=", store_id)
        .where("id", "=", child.id),
    );
  }
}
