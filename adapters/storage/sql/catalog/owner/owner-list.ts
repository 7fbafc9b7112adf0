import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { CodeSearch } from "#core/rules/catalog/groups/product-groups.ts";
import { type OwnPlace, type OwnPlaced, ownSortKeys } from "#core/rules/catalog/own-sort.ts";
import { mostScanned } from "#core/rules/catalog/search/product-rank.ts";
import { readSearch } from "#core/rules/catalog/search/product-search.ts";
import { type StockCount, stockLevelOf } from "#core/rules/catalog/stock.ts";
import type { Partition, ProductRecord } from "#core/rules/records.ts";
import type { OwnProductQuery } from "#core/storage/types.ts";
import { fromJson, highest, ofPartition } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { jsonInteger, nameBeginning } from "../../schema/json-fields.ts";
import type { Tables } from "../../schema/tables.ts";
import { hasWords, searchValues } from "../search/search-match.ts";
import { countColumns, readCount } from "../stock/stock-count.ts";
import { findAllRecords } from "./product-records.ts";

/** A search with more matches walks the list instead, which then finds a page soon. */
const maxHits = 500;

/** Selects the products that the query finds, whatever its stock and its page. */
type Matching = SelectQueryBuilder<Tables & { p: Tables["products"] }, "p", object>;

/** Reads a page of the owner's products, drafts too, in the order of their ids or another one. */
export function* listOwnProducts(
  engine: SqlEngine,
  store_id: string,
  query: OwnProductQuery,
): QueryGenerator<readonly ProductRecord[]> {
  const matching = yield* findMatching(engine, store_id, query);
  if (!matching) return [];
  if (query.stock) {
    const { limit, stock } = query;
    const walk = walkOf(engine, query);
    const ids = yield* idsOfLevel(engine, matching, { store_id, walk, limit, stock });
    const records = yield* findAllRecords(engine, store_id, ids);
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  const { after, order } = walkOf(engine, query);
  const page = after === null ? matching : matching.where(order.behind(after));
  const rows = yield* many(page.select("p.record").orderBy(order.text).limit(query.limit));
  return rows.map(({ record }) => fromJson<ProductRecord>(record));
}

/** An order of the list, by which one index walks it. */
interface Walk {
  readonly order: {
    readonly place: RawBuilder<OwnPlace>;
    readonly text: RawBuilder<unknown>;
    behind(row: OwnPlaced): RawBuilder<boolean>;
  };
  readonly after: OwnPlaced | null;
}

function walkOf({ dialect }: SqlEngine, { sorted, after }: OwnProductQuery): Walk {
  const last = after === null ? null : { place: 0, id: after };
  const byId = {
    place: sql<OwnPlace>`0`,
    text: sql`p.id`,
    behind: ({ id }: OwnPlaced) => sql<boolean>`p.id > ${id}`,
  };
  if (!sorted) return { after: last, order: byId };

  const { field, descending } = ownSortKeys[sorted.by];
  const expressions = {
    position: "p.position",
    price: jsonInteger(dialect.name, "p.record", "price"),
    created_at: jsonInteger(dialect.name, "p.record", "created_at"),
    name: nameBeginning(dialect.name, "p."),
  };
  const place = sql.raw<OwnPlace>(expressions[field]);
  const [sign, way] = descending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  return {
    after: sorted.after,
    order: {
      place,
      text: sql`${place} ${way}, p.id ${way}`,
      behind: (row) => sql<boolean>`(${place} ${sign}= ${row.place}
        and (${place}, p.id) ${sign} (${row.place}, ${row.id}))`,
    },
  };
}

/** Gives null when the search finds nothing. */
function* findMatching(
  engine: SqlEngine,
  store_id: string,
  { search, code, group, active, category_id, price = {} }: OwnProductQuery,
): QueryGenerator<Matching | null> {
  const isShort = search !== undefined && !readSearch(search).ranked;
  let page = isShort ? firstProducts(engine, store_id) : productsOf(engine, store_id);

  if (search !== undefined) {
    const words = yield* findHits(engine, store_id, search);
    const coded = yield* findCoded(engine, store_id, { search, code });
    const hits = words && coded && [...new Set([...words, ...coded])];
    if (hits?.length === 0) return null;

    page = hits
      ? page.where("p.id", "in", hits)
      : page.where(sql<boolean>`(${isFound(engine, search)} or ${hasCode({ search, code })})`);
  }
  if (group !== undefined) page = page.where("p.group_id", "=", group);

  const cost = sql.raw<number>(jsonInteger(engine.dialect.name, "p.record", "price"));
  if (price.min !== undefined) page = page.where(cost, ">=", price.min);
  if (price.max !== undefined) page = page.where(cost, "<=", price.max);

  // This is a literal, as in the partial index: a parameter would hide it from a generic plan.
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

const productsOf = ({ db }: SqlEngine, store_id: string): Matching =>
  db.selectFrom("products as p").where("p.store_id", "=", store_id);

/** Selects the first products by their ids, where no index finds the words of a search. */
function firstProducts(engine: SqlEngine, store_id: string): Matching {
  const first = productsOf(engine, store_id).selectAll("p").orderBy("p.id");
  // The subquery has the columns and the alias of the table, so the query around it is the same.
  return engine.db.selectFrom(
    first.limit(sql.lit(mostScanned)).as("p") as unknown as "products as p",
  );
}

/** The most products that one step looks at, however few of them have the level. */
const productsPerStep = 200;

/**
 * Walks the products with their stock until the page is full. No index is sorted by
 * what is left: it would be written with every piece that is sold.
 */
function* idsOfLevel(
  engine: SqlEngine,
  matching: Matching,
  { store_id, walk: { order, after }, limit, stock: { level, livemode } }: LevelQuery,
): QueryGenerator<readonly string[]> {
  const found: string[] = [];
  let last = after;

  for (;;) {
    const behind = last === null ? matching : matching.where(order.behind(last));
    const rows = yield* many(
      behind
        .select(["p.id", order.place.as("place")])
        .orderBy(order.text)
        .limit(productsPerStep),
    );
    const ids = rows.map(({ id }) => id);
    const counts = yield* readCounts(engine, { store_id, livemode }, ids);
    found.push(...ids.filter((id) => stockLevelOf(counts.get(id)) === level));

    if (found.length >= limit || ids.length < productsPerStep) return found.slice(0, limit);
    last = rows.at(-1) ?? null;
  }
}

interface LevelQuery extends Pick<OwnProductQuery, "limit"> {
  readonly store_id: string;
  readonly walk: Walk;
  readonly stock: NonNullable<OwnProductQuery["stock"]>;
}

/**
 * Reads the counts by the ids, because PostgreSQL would join the stock from its
 * first product on.
 */
function* readCounts(
  { db }: SqlEngine,
  { store_id, livemode }: Partition,
  ids: readonly string[],
): QueryGenerator<ReadonlyMap<string, StockCount>> {
  if (ids.length === 0) return new Map();

  const rows = yield* many(
    db
      .selectFrom("stock")
      .select(["product_id", ...countColumns])
      .where(ofPartition({ store_id, livemode }))
      .where("product_id", "in", ids),
  );
  return new Map(rows.map((row) => [row.product_id, readCount(row)]));
}

/**
 * Finds the ids of all matches. It gives null when there is no index to ask, or
 * there are too many.
 */
function* findHits(
  engine: SqlEngine,
  store_id: string,
  search: string,
): QueryGenerator<readonly string[] | null> {
  const { db, dialect } = engine;
  const terms = dialect.searchTerms(readSearch(search).words);
  if (terms.length === 0 || !engine.indexesText()) return null;

  const hits = dialect.searchHits({
    store_id: sql.val(store_id),
    terms: terms.map((term) => sql.val(term)),
    found: isFound(engine, search),
    columns: { position: sql.ref("p.position") },
    drafts: true,
    limit: maxHits + 1,
  });
  const found = yield* many(sql<{ readonly id: string | null }>`${hits}`.compile(db));
  return found.length > maxHits ? null : found.flatMap(({ id }) => id ?? []);
}

/**
 * Finds the products whose SKU begins with a search, or whose external id it is. It gives null when
 * there are too many.
 */
function* findCoded(
  { db }: SqlEngine,
  store_id: string,
  codes: CodeSearch,
): QueryGenerator<readonly string[] | null> {
  const { begins, names } = codeConditions(codes);
  const products = db
    .selectFrom("products as p")
    .select("p.id")
    .where("p.store_id", "=", store_id)
    .limit(maxHits + 1);
  // Each of the two has an index of its own, and a condition with `or` would use neither.
  const rows = [...(yield* many(products.where(begins))), ...(yield* many(products.where(names)))];
  return rows.length > maxHits ? null : rows.map(({ id }) => id);
}

const hasCode = (codes: CodeSearch): RawBuilder<boolean> => {
  const { begins, names } = codeConditions(codes);
  return sql<boolean>`${begins} or ${names}`;
};

function codeConditions({ search = "", code = "" }: CodeSearch) {
  const beginning = search.trim();
  return {
    begins: sql<boolean>`(p.sku >= ${beginning} and p.sku < ${beginning + highest})`,
    names: sql<boolean>`p.external_id = ${code.trim()}`,
  };
}

/** Makes the condition that a product `p` has all words of a search. */
function isFound({ dialect }: SqlEngine, search: string): RawBuilder<boolean> {
  const words = readSearch(search);
  const values = searchValues(words);
  return hasWords(dialect, "p", (name) => sql.val(values[name]), words.words.length > 1);
}
