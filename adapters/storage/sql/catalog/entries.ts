import type { CategoryRecord, CouponRecord, ProductRecord } from "../../../../src/rules/records.ts";
import type { CatalogStore } from "../../../../src/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { fromJson, toBool } from "../engine/json.ts";
import { many, one, type Step } from "../engine/step.ts";
import { bumpCatalog, isStale, lockStocks, unbumpCatalog, writeProducts } from "./owner.ts";

type OwnerEntries = Pick<
  CatalogStore,
  | "putCategory"
  | "listCategoryRecords"
  | "deleteCategory"
  | "putPaymentMethod"
  | "deletePaymentMethod"
  | "putCoupon"
  | "listCoupons"
  | "deleteCoupon"
>;
type Result<K extends keyof OwnerEntries> = Awaited<ReturnType<OwnerEntries[K]>>;

const maxRows = 1_000;

/** Categories, payment methods and coupons as their owner writes them. The store's row comes first: two writes of one row never meet. */
export function sqlOwnerEntries(engine: SqlEngine): OwnerEntries {
  const { db } = engine;

  return {
    putCategory: (category, before) =>
      engine.write(function* (): Step<Result<"putCategory">> {
        const { store_id, id } = category;
        if (!(yield* bumpCatalog(db, store_id))) return { outcome: "unknown_store" };
        const stale = before !== undefined && (yield* isStale(db, "categories", before, id));
        const outcome = stale ? "stale" : yield* refuseCategory(db, category);
        if (outcome) {
          yield* unbumpCatalog(db, store_id);
          return { outcome };
        }
        const row = {
          slug: category.slug,
          position: category.position,
          enabled: toBool(category.enabled),
          record: JSON.stringify(category),
        };
        yield* many(
          db
            .insertInto("categories")
            .values({ store_id, id, ...row })
            .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
        );
        return { outcome: "stored" };
      }),
    listCategoryRecords: (store_id) =>
      engine.read(function* (): Step<readonly CategoryRecord[]> {
        const rows = yield* many(
          db
            .selectFrom("categories")
            .select("record")
            .where("store_id", "=", store_id)
            .orderBy("id"),
        );
        return rows.map((row) => fromJson<CategoryRecord>(row.record));
      }),
    deleteCategory: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        const listed = (yield* productsOf(db, store_id, id)).map((product) => product.id);
        yield* lockStocks(engine, store_id, listed);
        if (!(yield* bumpCatalog(db, store_id))) return false;
        const gone = yield* one(
          db
            .deleteFrom("categories")
            .where("store_id", "=", store_id)
            .where("id", "=", id)
            .returning("id"),
        );
        if (!gone) {
          yield* unbumpCatalog(db, store_id);
          return false;
        }
        yield* freeChildren(db, store_id, id);
        // Looked up again: until the store's row was ours, others could still put products into the category.
        const products = yield* productsOf(db, store_id, id);
        yield* writeProducts(
          engine,
          store_id,
          products.map((product) => ({
            ...product,
            category_ids: product.category_ids.filter((other) => other !== id),
          })),
        );
        return true;
      }),
    putPaymentMethod: (method, before) =>
      engine.write(function* (): Step<Result<"putPaymentMethod">> {
        const { store_id, id } = method;
        if (!(yield* bumpCatalog(db, store_id))) return { outcome: "unknown_store" };
        if (before && (yield* isStale(db, "payment_methods", before, id))) {
          yield* unbumpCatalog(db, store_id);
          return { outcome: "stale" };
        }
        const row = { position: method.position, record: JSON.stringify(method) };
        const known = yield* many(
          db
            .selectFrom("payment_methods")
            .select("id")
            .where("store_id", "=", store_id)
            .limit(maxRows),
        );
        if (known.length >= maxRows && !known.some((other) => other.id === id)) {
          yield* unbumpCatalog(db, store_id);
          return { outcome: "limit" };
        }
        yield* many(
          db
            .insertInto("payment_methods")
            .values({ store_id, id, ...row })
            .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
        );
        return { outcome: "stored" };
      }),
    deletePaymentMethod: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        if (!(yield* bumpCatalog(db, store_id))) return false;
        const gone = yield* one(
          db
            .deleteFrom("payment_methods")
            .where("store_id", "=", store_id)
            .where("id", "=", id)
            .returning("id"),
        );
        if (!gone) yield* unbumpCatalog(db, store_id);
        return gone !== undefined;
      }),
    putCoupon: (coupon, before) =>
      engine.write(function* (): Step<Result<"putCoupon">> {
        const { store_id, id, code } = coupon;
        const store = yield* one(
          engine.dialect.forUpdate(db.selectFrom("stores").select("id").where("id", "=", store_id)),
        );
        if (!store) return { outcome: "unknown_store" };
        if (before && (yield* isStale(db, "coupons", before, id))) return { outcome: "stale" };
        const taken = yield* one(
          db
            .selectFrom("coupons")
            .select("id")
            .where("store_id", "=", store_id)
            .where("code", "=", code)
            .where("id", "!=", id),
        );
        if (taken) return { outcome: "code_taken" };
        const row = { code, record: JSON.stringify(coupon) };
        yield* many(
          db
            .insertInto("coupons")
            .values({ store_id, id, ...row })
            .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
        );
        return { outcome: "stored" };
      }),
    listCoupons: (store_id, { after, limit }) =>
      engine.read(function* (): Step<readonly CouponRecord[]> {
        const query = db
          .selectFrom("coupons")
          .select("record")
          .where("store_id", "=", store_id)
          .orderBy("id")
          .limit(limit);
        return (yield* many(after === null ? query : query.where("id", ">", after))).map((row) =>
          fromJson<CouponRecord>(row.record),
        );
      }),
    deleteCoupon: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        yield* one(
          engine.dialect.forUpdate(db.selectFrom("stores").select("id").where("id", "=", store_id)),
        );
        return (
          (yield* one(
            db
              .deleteFrom("coupons")
              .where("store_id", "=", store_id)
              .where("id", "=", id)
              .returning("id"),
          )) !== undefined
        );
      }),
  };
}

function* refuseCategory(
  db: Db,
  category: CategoryRecord,
): Step<"slug_taken" | "unknown_parent" | "limit" | null> {
  const rows = yield* many(
    db.selectFrom("categories").select(["id", "slug"]).where("store_id", "=", category.store_id),
  );
  if (rows.some((row) => row.slug === category.slug && row.id !== category.id)) return "slug_taken";
  if (category.parent_id !== null && !rows.some((row) => row.id === category.parent_id))
    return "unknown_parent";
  return rows.length >= maxRows && !rows.some((row) => row.id === category.id) ? "limit" : null;
}

function* freeChildren(db: Db, store_id: string, parent_id: string): Step<void> {
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
): Step<readonly ProductRecord[]> {
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
