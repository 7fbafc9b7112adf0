import type { FoundRecord, RecordsByKind } from "#core/rules/owner/record-kinds.ts";
import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import type { CategoryRecord, ProductRecord } from "#core/rules/records.ts";
import type { RecordSubject } from "#core/storage/record-store.ts";
import { lockCatalog } from "../access/lock-store.ts";
import { placeGroups } from "../catalog/owner/product-groups.ts";
import { lockStocks, modes, writeProducts } from "../catalog/owner/product-rows.ts";
import { recountWords } from "../catalog/owner/product-words.ts";
import { storedProducts } from "../catalog/owner/stored-products.ts";
import { findRecord, type RecordTable, recordsOf } from "../catalog/owner/stored-records.ts";
import { toBool } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { productsIn, removeCategory } from "./category-links.ts";
import type { RecordRows } from "./record-rows.ts";

/** Keeps categories. Their products' stock is locked first, as a sale locks it. */
export const categoryRows = (engine: SqlEngine): RecordRows<"category"> => ({
  *load(subject) {
    if (subject.may === "delete") {
      const products = yield* productsIn(engine, subject.store_id, subject.id);
      const ids = products.map(({ id }) => id);
      yield* lockStocks(engine, subject.store_id, ids);
    }

    const { parent_id = null, store_id } = subject;
    const read = yield* load<"category">(engine, "categories", subject);
    if (parent_id === null) return read;
    const parent = yield* findRecord<CategoryRecord>(engine.db, "categories", store_id, parent_id);
    return { ...read, parent_exists: parent !== null };
  },
  put: (category) =>
    put(engine, "categories", category, {
      slug: category.slug,
      position: category.position,
      enabled: toBool(category.enabled),
    }),
  *remove(category) {
    yield* remove(engine, "categories", category);
    yield* removeCategory(engine, category);
  },
});

/** Keeps payment methods. */
export const paymentMethodRows = (engine: SqlEngine): RecordRows<"payment_method"> => ({
  load: (subject) => load<"payment_method">(engine, "payment_methods", subject),
  put: (method) => put(engine, "payment_methods", method, { position: method.position }),
  remove: (method) => remove(engine, "payment_methods", method),
});

/** Keeps coupons. */
export const couponRows = (engine: SqlEngine): RecordRows<"coupon"> => ({
  load: (subject) => load<"coupon">(engine, "coupons", subject),
  put: (coupon) => put(engine, "coupons", coupon, { code: coupon.code }),
  remove: (coupon) => remove(engine, "coupons", coupon),
});

/** Deletes products. Their stock is locked first, as a sale locks it. */
export const productRows = (engine: SqlEngine): RecordRows<"product"> => ({
  *load(subject) {
    yield* lockStocks(engine, subject.store_id, [subject.id]);
    return yield* load<"product">(engine, "products", subject);
  },
  *put(product) {
    yield* writeProducts(engine, product.store_id, [product]);
    return true;
  },
  *remove({ store_id, id }) {
    const { db } = engine;
    const product = yield* findRecord<ProductRecord>(db, "products", store_id, id);
    const before = yield* many(storedProducts(engine, store_id, [id]).select("words"));
    yield* recountWords(db, store_id, before, []);
    yield* remove(engine, "products", { store_id, id });
    const links = db.deleteFrom("product_categories").where("store_id", "=", store_id);
    yield* many(links.where("product_id", "=", id));
    const stock = db.deleteFrom("stock").where("store_id", "=", store_id);
    yield* many(stock.where("livemode", "in", modes).where("product_id", "=", id));
    if (product?.group) yield* placeGroups(engine, store_id, [product.group]);
  },
});

type CatalogKind = "category" | "payment_method" | "coupon" | "product";

/** The column of the value that no other record of the store may have. */
const uniqueColumn = {
  categories: "slug",
  coupons: "code",
  products: "slug",
  payment_methods: "id",
};

function* load<Kind extends CatalogKind>(
  engine: SqlEngine,
  table: RecordTable,
  { store_id, id, unique, most }: RecordSubject<Kind>,
): QueryGenerator<FoundRecord<Kind>> {
  const store = yield* one(lockCatalog(engine, store_id));
  const record = yield* findRecord<RecordsByKind[Kind]>(engine.db, table, store_id, id);
  const others = recordsOf(engine.db, table)
    .select("id")
    .where("store_id", "=", store_id)
    .where("id", "!=", id);

  const column = uniqueColumn[table] as "slug";
  const is_taken =
    unique !== undefined && (yield* one(others.where(column, "=", unique).limit(1))) !== undefined;
  const counted = most === undefined || record !== null ? [] : yield* many(others.limit(most));
  return foundRecord<Kind>({
    owner_exists: store !== undefined,
    record,
    is_taken,
    others: counted.length,
  });
}

function* put(
  { db }: SqlEngine,
  table: RecordTable,
  record: { readonly store_id: string; readonly id: string },
  columns: object,
): QueryGenerator<boolean> {
  const row = { ...columns, record: JSON.stringify(record) };
  const { store_id, id } = record;
  // All these tables have store_id, id and record. Kysely types an insert of one table only.
  const values = { store_id, id, ...row } as never;
  yield* many(
    db
      .insertInto(table)
      .values(values)
      .onConflict((conflict) => conflict.columns(["store_id", "id"]).doUpdateSet(row as never)),
  );
  return true;
}

function* remove(
  { db }: SqlEngine,
  table: RecordTable,
  { store_id, id }: { readonly store_id: string; readonly id: string },
): QueryGenerator<void> {
  yield* many(
    db
      .deleteFrom(table as "products")
      .where("store_id", "=", store_id)
      .where("id", "=", id),
  );
}
