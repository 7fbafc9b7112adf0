import { DOCUMENT_VERSION, productDocument } from "../../../src/contract/render.ts";
import { fold } from "../../../src/domain/fold.ts";
import type { CategoryRecord, CouponRecord, ProductRecord } from "../../../src/storage/records.ts";
import type { CatalogStore } from "../../../src/storage/types.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { fromJson, toBool } from "./json.ts";
import { many, one, type Step } from "./step.ts";
import type { Tables } from "./tables.ts";

type OwnerSide = Omit<CatalogStore, "findProduct" | "listProducts" | "listCategories" | "listPaymentMethods">;
type Result<K extends keyof OwnerSide> = Awaited<ReturnType<OwnerSide[K]>>;

const maxRows = 1_000;
const chunkSize = 500;

export function sqlCatalogOwner(engine: SqlEngine): OwnerSide {
  const { db } = engine;

  return {
    putProducts: (store_id, entries) =>
      engine.write(function* (): Step<Result<"putProducts">> {
        if (!(yield* bumpCatalog(db, store_id))) return { outcome: "unknown_store" };
        const refusal = yield* refuseProducts(
          db,
          store_id,
          entries.map((entry) => entry.record),
        );
        if (refusal) {
          yield* unbumpCatalog(db, store_id);
          return refusal;
        }
        for (const entry of entries) yield* putProduct(db, entry.record, entry.set_stock);
        return { outcome: "stored" };
      }),
    findProductRecord: (store_id, id) =>
      engine.read(function* (): Step<ProductRecord | null> {
        const row = yield* one(db.selectFrom("products").select("record").where("store_id", "=", store_id).where("id", "=", id));
        return row ? fromJson<ProductRecord>(row.record) : null;
      }),
    listProductRecords: (store_id, { after, limit }) =>
      engine.read(function* (): Step<readonly ProductRecord[]> {
        const query = db.selectFrom("products").select("record").where("store_id", "=", store_id).orderBy("id").limit(limit);
        return (yield* many(after === null ? query : query.where("id", ">", after))).map((row) => fromJson<ProductRecord>(row.record));
      }),
    deleteProduct: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        const gone = yield* one(db.deleteFrom("products").where("store_id", "=", store_id).where("id", "=", id).returning("id"));
        if (!gone) return false;
        yield* many(db.deleteFrom("product_categories").where("store_id", "=", store_id).where("product_id", "=", id));
        yield* many(db.deleteFrom("stock").where("store_id", "=", store_id).where("product_id", "=", id));
        return yield* bumpCatalog(db, store_id);
      }),
    putCategory: (category) =>
      engine.write(function* (): Step<Result<"putCategory">> {
        const { store_id, id } = category;
        if (!(yield* bumpCatalog(db, store_id))) return { outcome: "unknown_store" };
        const outcome = yield* refuseCategory(db, category);
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
        const rows = yield* many(db.selectFrom("categories").select("record").where("store_id", "=", store_id).orderBy("id"));
        return rows.map((row) => fromJson<CategoryRecord>(row.record));
      }),
    deleteCategory: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        const gone = yield* one(db.deleteFrom("categories").where("store_id", "=", store_id).where("id", "=", id).returning("id"));
        if (!gone) return false;
        yield* bumpCatalog(db, store_id);
        yield* dropCategory(db, store_id, id);
        return true;
      }),
    putPaymentMethod: (method) =>
      engine.write(function* (): Step<Result<"putPaymentMethod">> {
        const { store_id, id } = method;
        if (!(yield* bumpCatalog(db, store_id))) return { outcome: "unknown_store" };
        const row = { position: method.position, record: JSON.stringify(method) };
        const known = yield* many(db.selectFrom("payment_methods").select("id").where("store_id", "=", store_id).limit(maxRows));
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
        const gone = yield* one(db.deleteFrom("payment_methods").where("store_id", "=", store_id).where("id", "=", id).returning("id"));
        return gone ? yield* bumpCatalog(db, store_id) : false;
      }),
    putCoupon: (coupon) =>
      engine.write(function* (): Step<Result<"putCoupon">> {
        const { store_id, id, code } = coupon;
        const store = yield* one(engine.dialect.forUpdate(db.selectFrom("stores").select("id").where("id", "=", store_id)));
        if (!store) return { outcome: "unknown_store" };
        const taken = yield* one(
          db.selectFrom("coupons").select("id").where("store_id", "=", store_id).where("code", "=", code).where("id", "!=", id),
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
        const query = db.selectFrom("coupons").select("record").where("store_id", "=", store_id).orderBy("id").limit(limit);
        return (yield* many(after === null ? query : query.where("id", ">", after))).map((row) => fromJson<CouponRecord>(row.record));
      }),
    deleteCoupon: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        return (yield* one(db.deleteFrom("coupons").where("store_id", "=", store_id).where("id", "=", id).returning("id"))) !== undefined;
      }),
  };
}

/** Takes the store's row lock, so that owner writes of one store come one after the other. False for an unknown store. */
export function* bumpCatalog(db: Db, store_id: string): Step<boolean> {
  const bumped = yield* one(
    db
      .updateTable("stores")
      .set((eb) => ({ catalog_version: eb("catalog_version", "+", 1) }))
      .where("id", "=", store_id)
      .returning("id"),
  );
  return bumped !== undefined;
}

/** Within the transaction that bumped: nobody has seen the version. */
function* unbumpCatalog(db: Db, store_id: string): Step<void> {
  yield* many(
    db
      .updateTable("stores")
      .set((eb) => ({ catalog_version: eb("catalog_version", "-", 1) }))
      .where("id", "=", store_id),
  );
}

function* refuseProducts(
  db: Db,
  store_id: string,
  products: readonly ProductRecord[],
): Step<{ outcome: "slug_taken" | "unknown_category"; index: number } | null> {
  const replaced = new Set(products.map((product) => product.id));
  const slugs = new Map<string, string>();
  for (let at = 0; at < products.length; at += chunkSize) {
    const wanted = products.slice(at, at + chunkSize).map((product) => product.slug);
    const rows = yield* many(db.selectFrom("products").select(["id", "slug"]).where("store_id", "=", store_id).where("slug", "in", wanted));
    for (const row of rows) if (!replaced.has(row.id)) slugs.set(row.slug, row.id);
  }
  const categories = new Set((yield* many(db.selectFrom("categories").select("id").where("store_id", "=", store_id))).map((row) => row.id));
  for (const [index, product] of products.entries()) {
    const taken = slugs.get(product.slug);
    if (taken !== undefined && taken !== product.id) return { outcome: "slug_taken", index };
    slugs.set(product.slug, product.id);
    if (product.category_ids.some((id) => !categories.has(id))) return { outcome: "unknown_category", index };
  }
  // Slugs may change hands within one call: the old owners let go first.
  const ids = [...replaced];
  for (let at = 0; at < ids.length; at += chunkSize) {
    const chunk = ids.slice(at, at + chunkSize);
    yield* many(
      db
        .updateTable("products")
        .set((eb) => ({ slug: eb.ref("id") }))
        .where("store_id", "=", store_id)
        .where("id", "in", chunk),
    );
  }
  return null;
}

function* putProduct(db: Db, record: ProductRecord, set_stock: boolean): Step<void> {
  const { store_id, id } = record;
  if (set_stock) yield* setStock(db, record);
  const row = yield* productRow(db, record);
  yield* many(
    db
      .insertInto("products")
      .values({ store_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row)),
  );
  yield* many(db.deleteFrom("product_categories").where("store_id", "=", store_id).where("product_id", "=", id));
  const links = [...new Set(record.category_ids)].map((category_id) => ({
    store_id,
    category_id,
    product_id: id,
    position: record.position,
  }));
  if (links.length > 0) yield* many(db.insertInto("product_categories").values(links));
}

function* setStock(db: Db, { store_id, id, stock }: ProductRecord): Step<void> {
  if (stock === null) {
    yield* many(db.deleteFrom("stock").where("store_id", "=", store_id).where("product_id", "=", id));
    return;
  }
  yield* many(
    db
      .insertInto("stock")
      .values(([0, 1] as const).map((livemode) => ({ store_id, livemode, product_id: id, stock, held: 0 })))
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "product_id"]).doUpdateSet({ stock })),
  );
}

/** A product's row with both documents rendered from its stock as it stands. */
export function* productRow(db: Db, record: ProductRecord): Step<Omit<Tables["products"], "store_id" | "id">> {
  const rows = yield* many(
    db
      .selectFrom("stock")
      .select(["livemode", "stock", "held"])
      .where("store_id", "=", record.store_id)
      .where("product_id", "=", record.id),
  );
  const onHand = (livemode: 0 | 1): number | null => {
    const row = rows.find((candidate) => candidate.livemode === livemode);
    return row ? row.stock - row.held : null;
  };
  return {
    slug: record.slug,
    position: record.position,
    active: toBool(record.active),
    name_folded: fold(record.name),
    document_version: DOCUMENT_VERSION,
    document_live: productDocument(record, onHand(1)),
    document_test: productDocument(record, onHand(0)),
    record: JSON.stringify(record),
  };
}

function* refuseCategory(db: Db, category: CategoryRecord): Step<"slug_taken" | "unknown_parent" | "limit" | null> {
  const rows = yield* many(db.selectFrom("categories").select(["id", "slug"]).where("store_id", "=", category.store_id));
  if (rows.some((row) => row.slug === category.slug && row.id !== category.id)) return "slug_taken";
  if (category.parent_id !== null && !rows.some((row) => row.id === category.parent_id)) return "unknown_parent";
  return rows.length >= maxRows && !rows.some((row) => row.id === category.id) ? "limit" : null;
}

function* dropCategory(db: Db, store_id: string, id: string): Step<void> {
  const rows = yield* many(db.selectFrom("categories").select("record").where("store_id", "=", store_id));
  for (const child of rows.map((row) => fromJson<CategoryRecord>(row.record))) {
    if (child.parent_id !== id) continue;
    const record = JSON.stringify({ ...child, parent_id: null });
    yield* many(db.updateTable("categories").set({ record }).where("store_id", "=", store_id).where("id", "=", child.id));
  }
  const products = yield* many(
    db
      .selectFrom("products")
      .innerJoin("product_categories", (join) =>
        join.onRef("product_categories.store_id", "=", "products.store_id").onRef("product_categories.product_id", "=", "products.id"),
      )
      .select("products.record")
      .where("product_categories.store_id", "=", store_id)
      .where("product_categories.category_id", "=", id),
  );
  for (const { record } of products) {
    const product = fromJson<ProductRecord>(record);
    yield* putProduct(db, { ...product, category_ids: product.category_ids.filter((other) => other !== id) }, false);
  }
}
