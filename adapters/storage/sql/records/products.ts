import type { Written } from "#core/rules/audit/audit-records.ts";
import type { StoredCatalog } from "#core/rules/catalog/catalog-writes.ts";
import { marksOf } from "#core/rules/catalog/groups/product-groups.ts";
import type {
  FoundProducts,
  ProductPut,
  ProductsDecision,
  ProductsSubject,
} from "#core/storage/record-store.ts";
import { lockCatalog } from "../access/lock-store.ts";
import { bumpCatalogVersion } from "../catalog/catalog-version.ts";
import { chunks } from "../catalog/owner/chunks.ts";
import { findMembers, findOwners } from "../catalog/owner/product-groups.ts";
import { findAllRecords } from "../catalog/owner/product-records.ts";
import { lockStocks, modes, writeProducts } from "../catalog/owner/product-rows.ts";
import { storedProducts } from "../catalog/owner/stored-products.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/** Makes the step that puts products: their stock is locked, then their store, as in a sale. */
export const productsStep = (engine: SqlEngine) =>
  function* step<Result>(
    subject: ProductsSubject,
    decide: (found: FoundProducts) => ProductsDecision<Result>,
  ): QueryGenerator<Written<Result>> {
    const { store_id, products } = subject;
    const ids = [...new Set(products.map(({ id }) => id))];
    yield* lockStocks(engine, store_id, ids);
    const store_exists = (yield* one(lockCatalog(engine, store_id))) !== undefined;

    const reads = subject.reads_records || subject.author !== undefined;
    const stored = reads ? yield* findAllRecords(engine, store_id, ids) : [];
    const records = new Map(stored.map((record) => [record.id, record]));
    const { releasedSlugs, ...catalog } = yield* readStoredCatalog(engine, store_id, products);

    const { result, puts } = decide({ store_exists, records, ...catalog });
    if (!puts) return { result, change: null };

    yield* releaseSlugs(engine.db, store_id, releasedSlugs);
    yield* setStocks(engine.db, store_id, puts);
    const last = [...new Map(puts.map(({ record }) => [record.id, record])).values()];
    yield* writeProducts(engine, store_id, last);
    yield* bumpCatalogVersion(engine.db, store_id);
    return { result, change: { kind: "products", store_id, before: stored, after: last } };
  };

interface StoredCatalogRows extends StoredCatalog {
  /** The ids of products whose old slugs another product of the call takes over. */
  readonly releasedSlugs: readonly string[];
}

function* readStoredCatalog(
  engine: SqlEngine,
  store_id: string,
  products: ProductsSubject["products"],
): QueryGenerator<StoredCatalogRows> {
  const productsById = new Map(products.map((product) => [product.id, product]));
  const wantedSlugs = products.map(({ slug }) => slug);
  const slugs = new Map<string, string>();
  const releasedSlugs: string[] = [];

  const owners = storedProducts(engine, store_id, wantedSlugs, "slug").select(["id", "slug"]);
  for (const { id, slug } of yield* many(owners)) {
    const replacement = productsById.get(id);
    if (!replacement) slugs.set(slug, id);
    else if (replacement.slug !== slug) releasedSlugs.push(id);
  }

  const hasCategories = products.some(({ category_ids }) => category_ids.length > 0);
  const categories = hasCategories
    ? yield* many(engine.db.selectFrom("categories").select("id").where("store_id", "=", store_id))
    : [];
  const marks = products.map(marksOf);
  const own = { store_id, except: productsById };
  const skus = marks.flatMap(({ sku }) => sku ?? []);
  const external_ids = marks.flatMap(({ external_id }) => external_id ?? []);
  const groups = marks.flatMap(({ group_id }) => group_id ?? []);
  return {
    slugs,
    releasedSlugs,
    skus: yield* findOwners(engine, { ...own, column: "sku", values: skus }),
    external_ids: yield* findOwners(engine, {
      ...own,
      column: "external_id",
      values: external_ids,
    }),
    groups: yield* findMembers(engine.db, store_id, [...new Set(groups)]),
    category_ids: new Set(categories.map(({ id }) => id)),
  };
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
function* setStocks(
  db: Db,
  store_id: string,
  entries: readonly ProductPut[],
): QueryGenerator<void> {
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
