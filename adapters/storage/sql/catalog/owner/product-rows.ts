import type { Insertable, Selectable } from "kysely";
import { fold } from "#core/domain/text/fold.ts";
import { marksOf, type ProductMarks } from "#core/rules/catalog/groups/product-groups.ts";
import { DOCUMENT_VERSION, productDocument } from "#core/rules/catalog/render.ts";
import { onHandOf } from "#core/rules/catalog/stock.ts";
import type { ProductRecord } from "#core/rules/records.ts";
import { toBool } from "../../engine/columns.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import type { FacetColumns } from "../../schema/facet-columns.ts";
import type { Tables } from "../../schema/tables.ts";
import { type CountColumn, countColumns, readCount } from "../stock/stock-count.ts";
import { chunks } from "./chunks.ts";
import { facetColumns } from "./product-facets.ts";
import { markColumns, placeGroups, releaseMarks } from "./product-groups.ts";
import { recountWords, wordsColumn } from "./product-words.ts";
import { storedProducts } from "./stored-products.ts";

type StockRow = Pick<Selectable<Tables["stock"]>, "product_id" | "livemode" | CountColumn>;
type Marks = keyof ProductMarks | "group_hidden" | "placed_at";
type ProductColumns = Omit<
  Tables["products"],
  "store_id" | "id" | "words" | Marks | keyof FacetColumns
> &
  ProductMarks &
  FacetColumns & {
    readonly words: string;
    readonly group_hidden: 1 | null;
    readonly placed_at: number;
  };

/** Both values of `livemode`. */
export const modes = [0, 1] as const;

/**
 * Locks the stock rows of both modes. A sale locks them before the catalog version
 * too. Whoever holds them may render these products: without the lock, the sale of
 * a last piece and a change of price would overwrite each other's document.
 */
export function* lockStocks(
  { db, dialect }: SqlEngine,
  store_id: string,
  product_ids: readonly string[],
): QueryGenerator<readonly StockRow[]> {
  const rows: StockRow[] = [];

  for (const ids of chunks([...product_ids].sort(compareBytes))) {
    const query = db
      .selectFrom("stock")
      .select(["product_id", "livemode", ...countColumns])
      .where("store_id", "=", store_id)
      .where("livemode", "in", modes)
      .where("product_id", "in", ids)
      .orderBy("livemode")
      .orderBy("product_id");
    rows.push(...(yield* many(dialect.forUpdate(query))));
  }
  return rows;
}

function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Writes each product once, with the documents that its present stock gives and its
 * places in its categories. Call it under the lock of the store's row, with
 * products that were judged before.
 */
export function* writeProducts(
  engine: SqlEngine,
  store_id: string,
  products: readonly ProductRecord[],
): QueryGenerator<void> {
  const groups = new Set<string>();
  for (const { group } of products) if (group) groups.add(group);
  const stored = yield* many(
    storedProducts(
      engine,
      store_id,
      products.map(({ id }) => id),
    ).select(["id", "words", ...markColumns]),
  );
  for (const left of yield* releaseMarks(engine.db, store_id, stored, products)) groups.add(left);

  const storedById = new Map(stored.map((row) => [row.id, row]));
  for (const chunk of chunks(products)) {
    const ids = chunk.map(({ id }) => id);
    const before = ids.flatMap((id) => storedById.get(id) ?? []);
    const stocks = stocksOfProducts(yield* lockStocks(engine, store_id, ids));

    const rows = chunk.map((record) => ({
      store_id,
      id: record.id,
      ...renderColumns(record, stocks.get(record.id) ?? []),
    }));
    yield* recountWords(engine.db, store_id, before, rows);
    yield* upsertProducts(engine.db, rows);
    yield* deleteCategoryLinks(engine.db, store_id, before);
    yield* insertCategoryLinks(engine.db, store_id, chunk);
  }
  yield* placeGroups(engine, store_id, groups);
}

function stocksOfProducts(rows: readonly StockRow[]): ReadonlyMap<string, readonly StockRow[]> {
  const stocks = new Map<string, StockRow[]>();
  for (const row of rows) {
    const known = stocks.get(row.product_id);
    if (known) known.push(row);
    else stocks.set(row.product_id, [row]);
  }
  return stocks;
}

function* upsertProducts(
  db: Db,
  rows: readonly Insertable<Tables["products"]>[],
): QueryGenerator<void> {
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
          words: eb.ref("excluded.words"),
          group_id: eb.ref("excluded.group_id"),
          combination: eb.ref("excluded.combination"),
          sku: eb.ref("excluded.sku"),
          external_id: eb.ref("excluded.external_id"),
          group_hidden: eb.ref("excluded.group_hidden"),
          placed_at: eb.ref("excluded.placed_at"),
          document_version: eb.ref("excluded.document_version"),
          document_live: eb.ref("excluded.document_live"),
          document_test: eb.ref("excluded.document_test"),
          record: eb.ref("excluded.record"),
          price: eb.ref("excluded.price"),
          category_ids: eb.ref("excluded.category_ids"),
          available_live: eb.ref("excluded.available_live"),
          available_test: eb.ref("excluded.available_test"),
          facets_at: eb.ref("excluded.facets_at"),
        })),
      ),
  );
}

/** Deletes the links of products that were stored before. A new product has none. */
function* deleteCategoryLinks(
  db: Db,
  store_id: string,
  stored: readonly { readonly id: string }[],
): QueryGenerator<void> {
  for (const chunk of chunks(stored.map(({ id }) => id)))
    yield* many(
      db
        .deleteFrom("product_categories")
        .where("store_id", "=", store_id)
        .where("product_id", "in", chunk),
    );
}

function* insertCategoryLinks(
  db: Db,
  store_id: string,
  products: readonly ProductRecord[],
): QueryGenerator<void> {
  const links = products.flatMap(({ id, position, price, created_at, category_ids, group }) =>
    [...new Set(category_ids)].map((category_id) => ({
      store_id,
      category_id,
      product_id: id,
      position,
      price,
      created_at,
      group_hidden: group ? (1 as const) : null,
    })),
  );
  for (const chunk of chunks(links)) yield* many(db.insertInto("product_categories").values(chunk));
}

/** Gives a product's columns, with the documents of both modes rendered from its present stock. */
export function* readProductColumns(db: Db, record: ProductRecord): QueryGenerator<ProductColumns> {
  const stocks = yield* many(
    db
      .selectFrom("stock")
      .select(["livemode", ...countColumns])
      .where("store_id", "=", record.store_id)
      .where("livemode", "in", modes)
      .where("product_id", "=", record.id),
  );
  return renderColumns(record, stocks);
}

function renderColumns(
  record: ProductRecord,
  stocks: readonly Pick<StockRow, "livemode" | CountColumn>[],
): ProductColumns {
  const onHand = (mode: 0 | 1): number | null => {
    const row = stocks.find(({ livemode }) => livemode === mode);
    return onHandOf(row && readCount(row));
  };
  const name_folded = fold(record.name);
  const document_live = productDocument(record, onHand(1));
  const document_test = productDocument(record, onHand(0));
  return {
    slug: record.slug,
    position: record.position,
    active: toBool(record.active),
    name_folded,
    words: wordsColumn(name_folded, record.active),
    ...marksOf(record),
    // Until `placeGroups` has written which product stands for the group.
    group_hidden: record.group ? 1 : null,
    placed_at: record.updated_at,
    document_version: DOCUMENT_VERSION,
    document_live,
    document_test,
    record: JSON.stringify(record),
    ...facetColumns(record, { live: document_live, test: document_test }),
  };
}
