import { type CompiledQuery, sql } from "kysely";
import { DOCUMENT_VERSION, productDocument } from "../../../src/contract/render.ts";
import type { CategoryRecord, Partition, PaymentMethodRecord, ProductRecord } from "../../../src/storage/records.ts";
import type { CatalogStore, ProductQuery, ProductRow } from "../../../src/storage/types.ts";
import { sqlOwnerEntries } from "./catalog-entries.ts";
import { sqlOwnerProducts } from "./catalog-owner.ts";
import type { Db, SqlEngine } from "./engine.ts";
import { fromJson, own } from "./json.ts";
import { many, one, type Place, prepare, prepareEach, type Step } from "./step.ts";

/** Which clauses a product list needs; its values come with each run. */
interface ListShape {
  readonly livemode: boolean;
  readonly category: boolean;
  readonly search: boolean;
  readonly after: boolean;
}

interface DocumentRow {
  readonly id: string;
  readonly position: number;
  readonly document: string;
  readonly document_version: number;
}

export function sqlCatalog(engine: SqlEngine): CatalogStore {
  const { db } = engine;
  const find = prepareEach(
    (livemode: boolean) => String(livemode),
    (livemode, place) =>
      db
        .selectFrom("products")
        .select(["id", "position", "document_version", documentOf(livemode)])
        .where("store_id", "=", place<string>("store_id"))
        .where("active", "=", sql.lit(1))
        .where((eb) => eb.or([eb("id", "=", place<string>("name")), eb("slug", "=", place<string>("name"))]))
        .orderBy(sql`case when id = ${place("name")} then 0 else 1 end`)
        .limit(1),
  );
  const list = prepareEach(
    (shape: ListShape) => `${shape.livemode}${shape.category}${shape.search}${shape.after}`,
    (shape, place) => listQuery(engine, shape, place),
  );
  const named = prepare((place) =>
    db
      .selectFrom("categories")
      .select(["id", "slug"])
      .where("store_id", "=", place<string>("store_id"))
      .where("enabled", "=", 1)
      .where((eb) => eb.or([eb("slug", "=", place<string>("slug")), eb("id", "=", place<string>("id"))])),
  );
  const categories = prepare((place) =>
    db
      .selectFrom("categories")
      .select("record")
      .where("store_id", "=", place<string>("store_id"))
      .where("enabled", "=", 1)
      .orderBy("position")
      .orderBy("id")
      .limit(1_000),
  );
  const methods = prepare((place) =>
    db
      .selectFrom("payment_methods")
      .select("record")
      .where("store_id", "=", place<string>("store_id"))
      .orderBy("position")
      .orderBy("id")
      .limit(1_000),
  );

  return {
    ...sqlOwnerProducts(engine),
    ...sqlOwnerEntries(engine),
    findProduct: (partition, id_or_slug) =>
      engine.read(function* (): Step<{ document: string } | null> {
        const row = yield* one(find(partition.livemode, { store_id: partition.store_id, name: id_or_slug }));
        return row ? { document: yield* currentDocument(db, partition, row) } : null;
      }),
    listProducts: (query) =>
      engine.read(function* (): Step<Awaited<ReturnType<CatalogStore["listProducts"]>>> {
        const category = yield* resolveCategory(query, (slug, id) => named({ store_id: query.store_id, slug, id }));
        if (category === "conflict") return { outcome: "category_conflict" };
        if (category === "unknown") return { outcome: "listed", rows: [] };
        const { store_id, livemode, search, after, offset = 0, limit } = query;
        const shape = { livemode, category: category !== null, search: search !== undefined, after: after !== undefined };
        const values = { store_id, category_id: category, search, position: after?.position, id: after?.id, offset, limit: limit + 1 };
        const found = yield* many(list(shape, values));
        const rows: ProductRow[] = [];
        for (const row of found) rows.push({ id: row.id, position: row.position, document: yield* currentDocument(db, query, row) });
        return { outcome: "listed", rows };
      }),
    listCategories: (store_id) =>
      engine.read(function* (): Step<readonly CategoryRecord[]> {
        return (yield* many(categories({ store_id }))).map((row) => fromJson<CategoryRecord>(row.record));
      }),
    listPaymentMethods: (store_id) =>
      engine.read(function* (): Step<readonly PaymentMethodRecord[]> {
        return (yield* many(methods({ store_id }))).map((row) => fromJson<PaymentMethodRecord>(row.record));
      }),
  };
}

const documentOf = (livemode: boolean) => (livemode ? ("document_live as document" as const) : ("document_test as document" as const));

function listQuery({ db, dialect }: SqlEngine, shape: ListShape, place: Place) {
  let query = db
    .selectFrom("products")
    .select(["products.id", "products.position", "products.document_version", documentOf(shape.livemode)])
    .where("products.store_id", "=", place<string>("store_id"))
    .where("products.active", "=", sql.lit(1)); // as in the partial index: a parameter hides it from a generic plan
  if (shape.category) {
    query = query
      .innerJoin("product_categories", (join) =>
        join.onRef("product_categories.store_id", "=", "products.store_id").onRef("product_categories.product_id", "=", "products.id"),
      )
      .where("product_categories.store_id", "=", place<string>("store_id"))
      .where("product_categories.category_id", "=", place<string>("category_id"));
  }
  const order = shape.category
    ? (["product_categories.position", "product_categories.product_id"] as const)
    : (["products.position", "products.id"] as const);
  if (shape.search) {
    const part = place<string>("search");
    query = query.where((eb) => eb.or([dialect.contains(eb.ref("name_folded"), part), dialect.contains(eb.ref("slug"), part)]));
  }
  if (shape.after) query = query.where(sql<boolean>`(${sql.ref(order[0])}, ${sql.ref(order[1])}) > (${place("position")}, ${place("id")})`);
  return query.orderBy(sql.ref(order[0])).orderBy(sql.ref(order[1])).limit(place<number>("limit")).offset(place<number>("offset"));
}

/** The category that slug and id mean; null when neither is given. Disabled ones are as unknown. */
function* resolveCategory(
  { category_slug, category_id }: ProductQuery,
  find: (slug: string, id: string) => CompiledQuery<{ id: string; slug: string }>,
): Step<string | null> {
  if (category_slug === undefined && category_id === undefined) return null;
  const rows = yield* many(find(category_slug ?? "", category_id ?? ""));
  const bySlug = rows.find((row) => row.slug === category_slug);
  const byId = rows.find((row) => row.id === category_id);
  if (category_slug === undefined || category_id === undefined) return (bySlug ?? byId)?.id ?? "unknown";
  if (!bySlug && !byId) return "unknown";
  return bySlug && bySlug.id === byId?.id ? bySlug.id : "conflict";
}

/** A document of an older format is rendered anew from its record. */
function* currentDocument(db: Db, partition: Partition, row: DocumentRow): Step<string> {
  if (row.document_version === DOCUMENT_VERSION) return row.document;
  const product = yield* one(
    db.selectFrom("products").select("record").where("store_id", "=", partition.store_id).where("id", "=", row.id),
  );
  return product ? productDocument(fromJson<ProductRecord>(product.record), yield* onHand(db, partition, row.id)) : row.document;
}

export function* onHand(db: Db, partition: Partition, product_id: string): Step<number | null> {
  const { store_id, livemode } = own(partition);
  const row = yield* one(
    db
      .selectFrom("stock")
      .select(["stock", "held"])
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("product_id", "=", product_id),
  );
  return row ? row.stock - row.held : null;
}
