import { refuseProducts, type StoredCatalog } from "#core/rules/catalog/catalog-writes.ts";
import type { ProductRecord } from "#core/rules/records.ts";
import type { CatalogStore } from "#core/storage/types.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { noteChange } from "../../engine/note-change.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { bumpCatalogVersion, restoreCatalogVersion } from "../catalog-version.ts";
import { chunks } from "./chunks.ts";
import { listOwnProducts } from "./owner-list.ts";
import { findAllRecords, findRecords } from "./product-records.ts";
import { lockStocks, modes, writeProducts } from "./product-rows.ts";
import { deleteRecord, isRecordStale } from "./stored-records.ts";

type OwnerProducts = Pick<
  CatalogStore,
  | "putProducts"
  | "findProductRecord"
  | "findProductRecords"
  | "listProductRecords"
  | "deleteProduct"
>;
type PutEntries = Parameters<CatalogStore["putProducts"]>[1];
type PutResult = Awaited<ReturnType<CatalogStore["putProducts"]>>;

/** Reads and writes products for their owner. */
export function sqlOwnerProducts(engine: SqlEngine): OwnerProducts {
  const { db } = engine;

  return {
    putProducts: (store_id, entries) => engine.write(() => putProducts(engine, store_id, entries)),

    findProductRecord: (store_id, id) =>
      engine.read(function* (): QueryGenerator<ProductRecord | null> {
        const [product] = yield* findRecords(db, store_id, [id]);
        return product ?? null;
      }),

    findProductRecords: (store_id, ids) => engine.read(() => findAllRecords(db, store_id, ids)),

    listProductRecords: (store_id, query) =>
      engine.read(() => listOwnProducts(engine, store_id, query)),

    deleteProduct: (store_id, id) => engine.write(() => deleteProduct(engine, store_id, id)),
  };
}

function* putProducts(
  engine: SqlEngine,
  store_id: string,
  entries: PutEntries,
): QueryGenerator<PutResult> {
  const { db } = engine;
  const products = entries.map(({ record }) => record);
  // The last entry of a product decides.
  const lastEntries = [...byId(products).values()];

  yield* lockStocks(
    engine,
    store_id,
    lastEntries.map(({ id }) => id),
  );
  if (!(yield* bumpCatalogVersion(db, store_id))) return { outcome: "unknown_store" };

  for (const { before } of entries)
    if (yield* isRecordStale(db, "products", before)) {
      yield* restoreCatalogVersion(db, store_id);
      return { outcome: "stale" };
    }

  const { releasedSlugs, ...stored } = yield* readStoredCatalog(db, store_id, products);
  const refusal = refuseProducts(products, stored);
  if (refusal) {
    yield* restoreCatalogVersion(db, store_id);
    return refusal;
  }

  const ids = lastEntries.map(({ id }) => id);
  const before = engine.author ? yield* findAllRecords(db, store_id, ids) : [];
  yield* releaseSlugs(db, store_id, releasedSlugs);
  yield* setStocks(db, store_id, entries);
  yield* writeProducts(engine, store_id, lastEntries);
  yield* noteChange(engine, { kind: "products", store_id, before, after: lastEntries });
  return { outcome: "stored" };
}

const byId = (products: readonly ProductRecord[]): ReadonlyMap<string, ProductRecord> =>
  new Map(products.map((product) => [product.id, product]));

interface StoredCatalogRows extends StoredCatalog {
  /** Another product of the call takes over the old slugs of the products with these ids. */
  readonly releasedSlugs: readonly string[];
}

function* readStoredCatalog(
  db: Db,
  store_id: string,
  products: readonly ProductRecord[],
): QueryGenerator<StoredCatalogRows> {
  const productsById = byId(products);
  const wantedSlugs = [...new Set(products.map(({ slug }) => slug))];
  const slugs = new Map<string, string>();
  const releasedSlugs: string[] = [];

  for (const chunk of chunks(wantedSlugs)) {
    const owners = db
      .selectFrom("products")
      .select(["id", "slug"])
      .where("store_id", "=", store_id)
      .where("slug", "in", chunk);
    for (const { id, slug } of yield* many(owners)) {
      const replacement = productsById.get(id);
      if (!replacement) slugs.set(slug, id);
      else if (replacement.slug !== slug) releasedSlugs.push(id);
    }
  }

  const hasCategories = products.some(({ category_ids }) => category_ids.length > 0);
  const categories = hasCategories
    ? yield* many(db.selectFrom("categories").select("id").where("store_id", "=", store_id))
    : [];
  return { slugs, releasedSlugs, category_ids: new Set(categories.map(({ id }) => id)) };
}

/**
 * Frees the slugs of products that take new ones in this call. The product's id,
 * which is never a slug, stands in the column until the new slug is written.
 */
function* releaseSlugs(db: Db, store_id: string, ids: readonly string[]): QueryGenerator<void> {
  for (const chunk of chunks(ids))
    yield* many(
      db
        .updateTable("products")
        .set((eb) => ({ slug: eb.ref("id") }))
        .where("store_id", "=", store_id)
        .where("id", "in", chunk),
    );
}

/**
 * Sets the stock of both modes. A stock of null ends the counting. Held pieces stay
 * held in either case.
 */
function* setStocks(db: Db, store_id: string, entries: PutEntries): QueryGenerator<void> {
  const stocks = new Map<string, number | null>();
  for (const { record, set_stock } of entries) if (set_stock) stocks.set(record.id, record.stock);

  const uncounted = [...stocks.keys()].filter((id) => stocks.get(id) === null);
  for (const ids of chunks(uncounted)) yield* endCounting(db, store_id, ids);

  const rows = [...stocks].flatMap(([product_id, stock]) =>
    stock === null
      ? []
      : modes.map((livemode) => ({ store_id, livemode, product_id, stock, held: 0 })),
  );
  for (const chunk of chunks(rows))
    yield* many(
      db
        .insertInto("stock")
        .values(chunk)
        .onConflict((conflict) =>
          conflict
            .columns(["store_id", "livemode", "product_id"])
            .doUpdateSet((eb) => ({ stock: eb.ref("excluded.stock"), counted: 1 })),
        ),
    );
}

function* endCounting(
  db: Db,
  store_id: string,
  product_ids: readonly string[],
): QueryGenerator<void> {
  yield* many(
    db
      .updateTable("stock")
      .set({ counted: 0 })
      .where("store_id", "=", store_id)
      .where("livemode", "in", modes)
      .where("product_id", "in", product_ids),
  );
}

function* deleteStocks(
  db: Db,
  store_id: string,
  product_ids: readonly string[],
): QueryGenerator<void> {
  yield* many(
    db
      .deleteFrom("stock")
      .where("store_id", "=", store_id)
      .where("livemode", "in", modes)
      .where("product_id", "in", product_ids),
  );
}

function* deleteProduct(engine: SqlEngine, store_id: string, id: string): QueryGenerator<boolean> {
  const { db } = engine;
  yield* lockStocks(engine, store_id, [id]);
  if (!(yield* bumpCatalogVersion(db, store_id))) return false;

  const before = yield* deleteRecord(db, "products", { store_id, id });
  if (!before) {
    yield* restoreCatalogVersion(db, store_id);
    return false;
  }

  yield* many(
    db
      .deleteFrom("product_categories")
      .where("store_id", "=", store_id)
      .where("product_id", "=", id),
  );
  yield* deleteStocks(db, store_id, [id]);
  yield* noteChange(engine, { kind: "record", type: "product", before, after: null });
  return true;
}
