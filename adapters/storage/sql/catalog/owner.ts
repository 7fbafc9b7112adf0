import { fold } from "../../../../src/domain/fold.ts";
import type { ProductRecord } from "../../../../src/rules/records.ts";
import { DOCUMENT_VERSION, productDocument } from "../../../../src/rules/render.ts";
import type { CatalogStore } from "../../../../src/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { fromJson, toBool } from "../engine/json.ts";
import { many, one, type Step } from "../engine/step.ts";
import type { Tables } from "../schema/tables.ts";

type OwnerProducts = Pick<
  CatalogStore,
  | "putProducts"
  | "findProductRecord"
  | "findProductRecords"
  | "listProductRecords"
  | "deleteProduct"
>;
type PutResult = Awaited<ReturnType<CatalogStore["putProducts"]>>;
type StockRow = Pick<Tables["stock"], "product_id" | "livemode" | "stock" | "held">;

const modes = [0, 1] as const;

export function sqlOwnerProducts(engine: SqlEngine): OwnerProducts {
  const { db } = engine;

  return {
    putProducts: (store_id, entries) =>
      engine.write(function* (): Step<PutResult> {
        const records = new Map(entries.map(({ record }) => [record.id, record]));
        const stocks = new Map(
          entries.flatMap(({ record, set_stock }) =>
            set_stock ? [[record.id, record.stock] as const] : [],
          ),
        );
        yield* lockStocks(engine, store_id, [...records.keys()]);
        if (!(yield* bumpCatalog(db, store_id))) return { outcome: "unknown_store" };
        for (const { record, before } of entries)
          if (before && (yield* isStale(db, "products", before, record.id))) {
            yield* unbumpCatalog(db, store_id);
            return { outcome: "stale" };
          }
        const judged = yield* judgeProducts(
          db,
          store_id,
          entries.map(({ record }) => record),
          records,
        );
        if (judged.outcome !== "fine") {
          yield* unbumpCatalog(db, store_id);
          return judged;
        }
        yield* letGoSlugs(db, store_id, judged.moved);
        yield* setStocks(db, store_id, stocks);
        yield* writeProducts(engine, store_id, [...records.values()]);
        return { outcome: "stored" };
      }),
    findProductRecord: (store_id, id) =>
      engine.read(function* (): Step<ProductRecord | null> {
        const row = yield* one(
          db
            .selectFrom("products")
            .select("record")
            .where("store_id", "=", store_id)
            .where("id", "=", id),
        );
        return row ? fromJson<ProductRecord>(row.record) : null;
      }),
    findProductRecords: (store_id, ids) =>
      engine.read(function* (): Step<readonly ProductRecord[]> {
        const found: ProductRecord[] = [];
        for (const some of chunks(ids)) {
          const rows = yield* many(
            db
              .selectFrom("products")
              .select("record")
              .where("store_id", "=", store_id)
              .where("id", "in", some),
          );
          found.push(...rows.map((row) => fromJson<ProductRecord>(row.record)));
        }
        return found;
      }),
    listProductRecords: (store_id, { after, limit }) =>
      engine.read(function* (): Step<readonly ProductRecord[]> {
        const query = db
          .selectFrom("products")
          .select("record")
          .where("store_id", "=", store_id)
          .orderBy("id")
          .limit(limit);
        return (yield* many(after === null ? query : query.where("id", ">", after))).map((row) =>
          fromJson<ProductRecord>(row.record),
        );
      }),
    deleteProduct: (store_id, id) =>
      engine.write(function* (): Step<boolean> {
        yield* lockStocks(engine, store_id, [id]);
        if (!(yield* bumpCatalog(db, store_id))) return false;
        const gone = yield* one(
          db
            .deleteFrom("products")
            .where("store_id", "=", store_id)
            .where("id", "=", id)
            .returning("id"),
        );
        if (!gone) {
          yield* unbumpCatalog(db, store_id);
          return false;
        }
        yield* many(
          db
            .deleteFrom("product_categories")
            .where("store_id", "=", store_id)
            .where("product_id", "=", id),
        );
        yield* many(
          db
            .deleteFrom("stock")
            .where("store_id", "=", store_id)
            .where("livemode", "in", modes)
            .where("product_id", "=", id),
        );
        return true;
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
export function* unbumpCatalog(db: Db, store_id: string): Step<void> {
  yield* many(
    db
      .updateTable("stores")
      .set((eb) => ({ catalog_version: eb("catalog_version", "-", 1) }))
      .where("id", "=", store_id),
  );
}

/** Another record stands there than the one that a change was made over, or none. Read under the store's lock. */
export function* isStale(
  db: Db,
  table: "products" | "categories" | "payment_methods" | "coupons",
  before: { readonly store_id: string },
  id: string,
): Step<boolean> {
  const rows = db
    .selectFrom(table as "products")
    .select("record")
    .where("store_id", "=", before.store_id);
  const row = yield* one(rows.where("id", "=", id));
  return !row || JSON.stringify(fromJson(row.record)) !== JSON.stringify(before);
}

/**
 * The stock rows of both modes, locked before the catalog version as a sale does it (CONTRACT 6). Whoever holds them may render these products:
 * without the lock, a sale of the last piece and a new price overwrote each other's document.
 */
export function* lockStocks(
  { db, dialect }: SqlEngine,
  store_id: string,
  product_ids: readonly string[],
): Step<readonly StockRow[]> {
  const rows: StockRow[] = [];
  for (const ids of chunks([...product_ids].sort(byBytes))) {
    const query = db
      .selectFrom("stock")
      .select(["product_id", "livemode", "stock", "held"])
      .where("store_id", "=", store_id)
      .where("livemode", "in", modes)
      .where("product_id", "in", ids)
      .orderBy("livemode")
      .orderBy("product_id");
    rows.push(...(yield* many(dialect.forUpdate(query))));
  }
  return rows;
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Judged =
  | { readonly outcome: "slug_taken" | "unknown_category"; readonly index: number }
  | { readonly outcome: "fine"; readonly moved: readonly string[] };

/** `moved`: products whose old slug another one of the call takes over. */
function* judgeProducts(
  db: Db,
  store_id: string,
  products: readonly ProductRecord[],
  records: ReadonlyMap<string, ProductRecord>,
): Step<Judged> {
  const slugs = new Map<string, string>();
  const moved: string[] = [];
  for (const wanted of chunks([...new Set(products.map(({ slug }) => slug))])) {
    const owners = db
      .selectFrom("products")
      .select(["id", "slug"])
      .where("store_id", "=", store_id)
      .where("slug", "in", wanted);
    for (const { id, slug } of yield* many(owners)) {
      const record = records.get(id);
      if (!record) slugs.set(slug, id);
      else if (record.slug !== slug) moved.push(id);
    }
  }
  const categorised = products.some(({ category_ids }) => category_ids.length > 0);
  const rows = categorised
    ? yield* many(db.selectFrom("categories").select("id").where("store_id", "=", store_id))
    : [];
  const categories = new Set(rows.map(({ id }) => id));
  for (const [index, product] of products.entries()) {
    const owner = slugs.get(product.slug);
    if (owner !== undefined && owner !== product.id) return { outcome: "slug_taken", index };
    slugs.set(product.slug, product.id);
    if (product.category_ids.some((id) => !categories.has(id)))
      return { outcome: "unknown_category", index };
  }
  return { outcome: "fine", moved };
}

/** An id is never a slug, so that it can stand there until the new one is written. */
function* letGoSlugs(db: Db, store_id: string, ids: readonly string[]): Step<void> {
  for (const chunk of chunks(ids)) {
    yield* many(
      db
        .updateTable("products")
        .set((eb) => ({ slug: eb.ref("id") }))
        .where("store_id", "=", store_id)
        .where("id", "in", chunk),
    );
  }
}

/** Both modes alike; what is held stays held. Null stops the counting. */
function* setStocks(
  db: Db,
  store_id: string,
  stocks: ReadonlyMap<string, number | null>,
): Step<void> {
  const uncounted = [...stocks].flatMap(([id, stock]) => (stock === null ? [id] : []));
  for (const ids of chunks(uncounted))
    yield* many(
      db
        .deleteFrom("stock")
        .where("store_id", "=", store_id)
        .where("livemode", "in", modes)
        .where("product_id", "in", ids),
    );
  const rows = [...stocks].flatMap(([product_id, stock]) =>
    stock === null
      ? []
      : modes.map((livemode) => ({ store_id, livemode, product_id, stock, held: 0 })),
  );
  for (const chunk of chunks(rows)) {
    yield* many(
      db
        .insertInto("stock")
        .values(chunk)
        .onConflict((conflict) =>
          conflict
            .columns(["store_id", "livemode", "product_id"])
            .doUpdateSet((eb) => ({ stock: eb.ref("excluded.stock") })),
        ),
    );
  }
}

/** Each product once, with documents of its stock as it stands and its places in the categories. Judged before, under the store's lock. */
export function* writeProducts(
  engine: SqlEngine,
  store_id: string,
  products: readonly ProductRecord[],
): Step<void> {
  const { db } = engine;
  for (const chunk of chunks(products)) {
    const ids = chunk.map(({ id }) => id);
    const stock = yield* lockStocks(engine, store_id, ids);
    const onHand = new Map(
      stock.map((row) => [`${row.livemode}${row.product_id}`, row.stock - row.held]),
    );
    const rows = chunk.map((record) => ({
      store_id,
      id: record.id,
      ...columnsOf(
        record,
        onHand.get(`1${record.id}`) ?? null,
        onHand.get(`0${record.id}`) ?? null,
      ),
    }));
    yield* many(
      db
        .insertInto("products")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["store_id", "id"]).doUpdateSet((eb) => ({
            slug: eb.ref("excluded.slug"),
            position: eb.ref("excluded.position"),
            active: eb.ref("excluded.active"),
            name_folded: eb.ref("excluded.name_folded"),
            document_version: eb.ref("excluded.document_version"),
            document_live: eb.ref("excluded.document_live"),
            document_test: eb.ref("excluded.document_test"),
            record: eb.ref("excluded.record"),
          })),
        ),
    );
    yield* many(
      db
        .deleteFrom("product_categories")
        .where("store_id", "=", store_id)
        .where("product_id", "in", ids),
    );
    const links = chunk.flatMap(({ id, position, category_ids }) =>
      [...new Set(category_ids)].map((category_id) => ({
        store_id,
        category_id,
        product_id: id,
        position,
      })),
    );
    for (const some of chunks(links)) yield* many(db.insertInto("product_categories").values(some));
  }
}

/** A product's row with both documents rendered from its stock as it stands. */
export function* productRow(
  db: Db,
  record: ProductRecord,
): Step<Omit<Tables["products"], "store_id" | "id">> {
  const rows = yield* many(
    db
      .selectFrom("stock")
      .select(["livemode", "stock", "held"])
      .where("store_id", "=", record.store_id)
      .where("livemode", "in", modes)
      .where("product_id", "=", record.id),
  );
  const onHand = (livemode: 0 | 1): number | null => {
    const row = rows.find((candidate) => candidate.livemode === livemode);
    return row ? row.stock - row.held : null;
  };
  return columnsOf(record, onHand(1), onHand(0));
}

const columnsOf = (
  record: ProductRecord,
  live: number | null,
  test: number | null,
): Omit<Tables["products"], "store_id" | "id"> => ({
  slug: record.slug,
  position: record.position,
  active: toBool(record.active),
  name_folded: fold(record.name),
  document_version: DOCUMENT_VERSION,
  document_live: productDocument(record, live),
  document_test: productDocument(record, test),
  record: JSON.stringify(record),
});

/** Few different lengths, for each is a statement that the database keeps prepared; and never more parameters than it takes. */
function* chunks<T>(list: readonly T[]): Generator<readonly T[], void> {
  for (let at = 0; at < list.length; ) {
    const size = chunkSizes.find((candidate) => candidate <= list.length - at) ?? 1;
    yield list.slice(at, at + size);
    at += size;
  }
}
const chunkSizes = [256, 64, 16, 4] as const;
