import { type SelectQueryBuilder, sql } from "kysely";
import type { ProductRecord } from "../../../../src/rules/records.ts";
import { stockLevelOf } from "../../../../src/rules/stock.ts";
import type { OwnProductQuery } from "../../../../src/storage/types.ts";
import { fromJson, toBool } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

/** A search with more matches walks the list instead, which then finds a page soon. */
const maxHits = 500;

/** The products of a store that the query finds, without its stock and its page. */
type Matching = SelectQueryBuilder<Tables & { p: Tables["products"] }, "p", object>;

/** A page of the owner's products in the order of their ids, drafts too. */
export function* listOwnProducts(
  engine: SqlEngine,
  store_id: string,
  query: OwnProductQuery,
): QueryGenerator<readonly ProductRecord[]> {
  const matching = yield* findMatching(engine, store_id, query);
  if (!matching) return [];
  if (query.stock) {
    const ids = yield* idsOfLevel(matching, query, query.stock);
    return ids.length === 0 ? [] : yield* readRecords(engine, store_id, ids);
  }

  const { after, limit } = query;
  const page = after === null ? matching : matching.where("p.id", ">", after);
  const rows = yield* many(page.select("p.record").orderBy("p.id").limit(limit));
  return rows.map(({ record }) => fromJson<ProductRecord>(record));
}

/** Null when the search finds nothing. */
function* findMatching(
  engine: SqlEngine,
  store_id: string,
  { search, active, category_id }: OwnProductQuery,
): QueryGenerator<Matching | null> {
  const { db, dialect } = engine;
  let page: Matching = db.selectFrom("products as p").where("p.store_id", "=", store_id);

  if (search !== undefined) {
    const hits = yield* findHits(engine, store_id, search);
    if (hits?.length === 0) return null;

    page = hits
      ? page.where("p.id", "in", hits)
      : page.where((eb) =>
          eb.or([
            dialect.contains(eb.ref("p.name_folded"), eb.val(search)),
            dialect.contains(eb.ref("p.slug"), eb.val(search)),
          ]),
        );
  }

  // A literal, as in the partial index: a parameter would hide the index from a generic plan.
  if (active !== undefined) page = page.where("p.active", "=", sql.lit(active ? 1 : 0));
  if (category_id !== undefined)
    page = page.where("p.id", "in", (eb) =>
      eb
        .selectFrom("product_categories")
        .select("product_id")
        .where("store_id", "=", store_id)
        .where("category_id", "=", category_id),
    );
  return page;
}

/** One statement looks at this many products at most, however few of them have the level. */
const productsPerStep = 200;

/**
 * Walks the products with their stock until the page is full. No index is sorted by
 * what is left: it would be written with every piece that is sold.
 */
function* idsOfLevel(
  matching: Matching,
  { after, limit }: OwnProductQuery,
  { level, livemode }: NonNullable<OwnProductQuery["stock"]>,
): QueryGenerator<readonly string[]> {
  const counted = matching
    .leftJoin("stock as s", (join) =>
      join
        .onRef("s.store_id", "=", "p.store_id")
        .on("s.livemode", "=", toBool(livemode))
        .onRef("s.product_id", "=", "p.id"),
    )
    .select(["p.id", "s.stock", "s.held", "s.counted"])
    .orderBy("p.id")
    .limit(productsPerStep);
  const found: string[] = [];
  let last = after;

  for (;;) {
    const rows = yield* many(last === null ? counted : counted.where("p.id", ">", last));
    for (const { id, stock, held, counted: isCounted } of rows) {
      const count = { stock: stock ?? 0, held: held ?? 0, counted: isCounted === 1 };
      if (stockLevelOf(count) === level) found.push(id);
    }

    if (found.length >= limit || rows.length < productsPerStep) return found.slice(0, limit);
    last = rows.at(-1)?.id ?? null;
  }
}

function* readRecords(
  { db }: SqlEngine,
  store_id: string,
  ids: readonly string[],
): QueryGenerator<readonly ProductRecord[]> {
  const rows = yield* many(
    db
      .selectFrom("products")
      .select("record")
      .where("store_id", "=", store_id)
      .where("id", "in", ids)
      .orderBy("id"),
  );
  return rows.map(({ record }) => fromJson<ProductRecord>(record));
}

/** The ids of all matches. Null when there is no index to ask, or there are too many. */
function* findHits(
  engine: SqlEngine,
  store_id: string,
  search: string,
): QueryGenerator<readonly string[] | null> {
  const { db, dialect } = engine;
  const term = dialect.searchTerm(search);
  if (term === null || !engine.indexesText()) return null;

  const hits = dialect.searchHits({
    store_id: sql.val(store_id),
    term: sql.val(term),
    search: sql.val(search),
    drafts: true,
    limit: maxHits + 1,
  });
  const found = yield* many(sql<{ readonly id: string | null }>`${hits}`.compile(db));
  return found.length > maxHits ? null : found.flatMap(({ id }) => id ?? []);
}
