import { refuseCategory } from "#core/rules/catalog/catalog-writes.ts";
import type { CategoryRecord, ProductRecord } from "#core/rules/records.ts";
import type { CatalogStore } from "#core/storage/types.ts";
import { fromJson, toBool } from "../../engine/columns.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { noteChange } from "../../engine/note-change.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { bumpCatalogVersion, restoreCatalogVersion } from "../catalog-version.ts";
import { lockStocks, writeProducts } from "./product-rows.ts";
import { deleteRecord, isRecordStale, recordToReplace } from "./stored-records.ts";

type OwnerCategories = Pick<CatalogStore, "putCategory" | "listCategoryRecords" | "deleteCategory">;
type PutResult = Awaited<ReturnType<CatalogStore["putCategory"]>>;

/** Reads and writes categories for their owner. */
export function sqlOwnerCategories(engine: SqlEngine): OwnerCategories {
  const { db } = engine;

  return {
    putCategory: (category, before) => engine.write(() => putCategory(engine, category, before)),

    listCategoryRecords: (store_id) =>
      engine.read(function* (): QueryGenerator<readonly CategoryRecord[]> {
        const rows = yield* many(
          db
            .selectFrom("categories")
            .select("record")
            .where("store_id", "=", store_id)
            .orderBy("id"),
        );
        return rows.map((row) => fromJson<CategoryRecord>(row.record));
      }),

    deleteCategory: (store_id, id) => engine.write(() => deleteCategory(engine, store_id, id)),
  };
}

function* putCategory(
  engine: SqlEngine,
  category: CategoryRecord,
  before: CategoryRecord | undefined,
): QueryGenerator<PutResult> {
  const { db } = engine;
  const { store_id, id, slug, position } = category;
  if (!(yield* bumpCatalogVersion(db, store_id))) return { outcome: "unknown_store" };

  const stale = yield* isRecordStale(db, "categories", before);
  const refusal = stale ? "stale" : refuseCategory(category, yield* listNames(db, store_id));
  if (refusal) {
    yield* restoreCatalogVersion(db, store_id);
    return { outcome: refusal };
  }

  const replaced = yield* recordToReplace(engine, "categories", category);
  const row = {
    slug,
    position,
    enabled: toBool(category.enabled),
    record: JSON.stringify(category),
  };
  yield* many(
    db
      .insertInto("categories")
      .values({ store_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
  );
  yield* noteChange(engine, {
    kind: "record",
    type: "category",
    before: replaced,
    after: category,
  });
  return { outcome: "stored" };
}

const listNames = (db: Db, store_id: string) =>
  many(db.selectFrom("categories").select(["id", "slug"]).where("store_id", "=", store_id));

function* deleteCategory(engine: SqlEngine, store_id: string, id: string): QueryGenerator<boolean> {
  const { db } = engine;
  const lockedProducts = yield* productsOf(db, store_id, id);
  yield* lockStocks(
    engine,
    store_id,
    lockedProducts.map((product) => product.id),
  );
  if (!(yield* bumpCatalogVersion(db, store_id))) return false;

  const before = yield* deleteRecord(db, "categories", { store_id, id });
  if (!before) {
    yield* restoreCatalogVersion(db, store_id);
    return false;
  }
  yield* detachChildren(db, store_id, id);

  // The products are read again: until this transaction locked the store's row,
  // others could add some.
  const products = yield* productsOf(db, store_id, id);
  const withoutCategory = products.map((product) => ({
    ...product,
    category_ids: product.category_ids.filter((other) => other !== id),
  }));
  yield* writeProducts(engine, store_id, withoutCategory);
  yield* noteChange(engine, { kind: "record", type: "category", before, after: null });
  return true;
}

/** Makes the children of a deleted category categories without a parent. */
function* detachChildren(db: Db, store_id: string, parent_id: string): QueryGenerator<void> {
  const rows = yield* many(
    db.selectFrom("categories").select("record").where("store_id", "=", store_id),
  );

  for (const child of rows.map((row) => fromJson<CategoryRecord>(row.record))) {
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

function* productsOf(
  db: Db,
  store_id: string,
  category_id: string,
): QueryGenerator<readonly ProductRecord[]> {
  const rows = yield* many(
    db
      .selectFrom("products")
      .innerJoin("product_categories", (join) =>
        join
          .onRef("product_categories.store_id", "=", "products.store_id")
          .onRef("product_categories.product_id", "=", "products.id"),
      )
      .select("products.record")
      .where("product_categories.store_id", "=", store_id)
      .where("product_categories.category_id", "=", category_id),
  );
  return rows.map((row) => fromJson<ProductRecord>(row.record));
}
