import { type RawBuilder, sql } from "kysely";
import type { AllProductFacets } from "#core/contract/catalog/facets-schema.ts";
import { compareFacets, maxFacetHits } from "#core/rules/catalog/facets.ts";
import { readSearch } from "#core/rules/catalog/search/product-search.ts";
import type { ProductQuery } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareEach } from "../engine/queries.ts";
import type { NamedColumns } from "../schema/dialect.ts";
import { availableMark } from "./groups.ts";
import { inCategory, type ListShape, matchingProducts, nameOfShape, several } from "./list.ts";
import { catalogVersion, documentColumn, requireFreshness } from "./owner/document-rows.ts";
import {
  commonWord,
  countUnlessCommon,
  hasWords,
  isCommon,
  isCounted,
  searchValues,
} from "./search-match.ts";

interface FacetShape extends ListShape {
  /** Where the products are found: by terms of the search index, or by a scan. */
  readonly by: "term" | "two terms" | "scan";
}

interface FacetRow {
  /** Empty in the row of all products. */
  readonly category_id: string;
  readonly count: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly available: number | null;
  /** The number of rows found. Products of other stores are among them. */
  readonly found: number;
  /** The number of rows that are products of the store. */
  readonly own: number;
  readonly catalog_version?: number;
}

/** Counts the products of a list. Null when there are too many of them. */
export function prepareFacets(engine: SqlEngine, replica: boolean) {
  const fresh = requireFreshness(replica);
  const counts = prepareEach(
    (shape: FacetShape) => nameOfShape(shape) + shape.by,
    (shape, param) => ({ compile: () => countQuery(engine, shape, param).compile(engine.db) }),
  );

  return async (query: ProductQuery): Promise<AllProductFacets | null> => {
    const { store_id, livemode, category_slug, category_id } = query;
    const search = query.search === undefined ? null : readSearch(query.search);
    const byId = category_id === undefined ? null : "id";
    const shape: ListShape = {
      livemode,
      replica,
      category: category_slug === undefined ? byId : "slug",
      search: search && (search.words.length === 1 ? "one" : "several"),
      bounded: search !== null && !search.ranked,
      sort: "position",
      groups: query.group === "first",
      indexed: true,
      after: false,
      shallow: true,
    };
    const [term, other_term] =
      search?.ranked && engine.indexesText() ? engine.dialect.searchTerms(search.words) : [];
    const values = {
      store_id,
      category: category_slug ?? category_id,
      ...(search && searchValues(search)),
      ...{ term, other_term },
    };
    const read = async (by: FacetShape["by"]) =>
      fresh(await engine.read(() => many(counts({ ...shape, by }, values))), query.catalog_version);

    const byTerm = other_term === undefined ? "term" : "two terms";
    const rows = await read(term === undefined ? "scan" : byTerm);
    // The rows of other stores count as hits of SQLite's index: a scan may still find few.
    const isUnsure = term !== undefined && isTooMany(rows) && !isTooMany(rows, "own");
    return facetsIn(isUnsure ? await read("scan") : rows);
  };
}

const isTooMany = (rows: readonly FacetRow[], of: "found" | "own" = "found"): boolean =>
  rows.some((row) => Number(row[of]) > maxFacetHits);

function facetsIn(rows: readonly FacetRow[]): AllProductFacets | null {
  if (isTooMany(rows)) return null;
  const all = rows.find(({ category_id }) => category_id === "");
  const count = Number(all?.count ?? 0);
  const available = Number(all?.available ?? 0);
  return {
    category: rows
      .filter((row) => row !== all)
      .map((row) => ({ category_id: row.category_id, count: Number(row.count) }))
      .sort(compareFacets),
    price: count === 0 ? null : { min: Number(all?.low), max: Number(all?.high) },
    available: { true: available, false: count - available },
  };
}

/**
 * Selects the counts. The products are found twice, first to be counted alone: a join of what was
 * found with the products would read the whole store for each of them, where PostgreSQL does not
 * know yet that the store has become large.
 */
function countQuery(engine: SqlEngine, shape: FacetShape, param: Param): RawBuilder<FacetRow> {
  const { dialect } = engine;
  const document = sql<string>`${sql.ref(`p.${documentColumn(shape.livemode)}`)}`;
  const isAvailable = dialect.contains(document, sql.lit(availableMark));
  const columns = {
    record: sql.ref("p.record"),
    available: sql`case when ${isAvailable} then 1 else 0 end`,
  };
  const record = dialect.jsonFields("r", sql`product.record`, {
    price: "bigint",
    category_ids: "text",
  });
  const version = shape.replica ? sql`, ${catalogVersion(param)} as catalog_version` : sql``;

  return sql<FacetRow>`
    with ${isCounted(shape) ? commonWord(maxFacetHits, param) : sql``}
    found as materialized (${foundProducts(engine, { shape, columns: {} }, param)}),
    hits as materialized (
      select ${record.field("price")} as price, ${record.field("category_ids")} as category_ids,
        product.available
      from (${foundProducts(engine, { shape, columns }, param)}) as product ${record.from}
      where (select count(*) from found) <= ${sql.lit(maxFacetHits)} and product.id is not null
        ${isOfStore(shape) ? inCategory(shape, param, "product") : sql``}
    ),
    counted as (
      select value as category_id, count(*) as count
      from hits cross join ${dialect.jsonValues(sql.ref("hits.category_ids"))}
      group by value
    )
    select '' as category_id, count(*) as count, min(price) as low, max(price) as high,
      sum(available) as available, ${foundIn(shape, sql`count(*)`)} as found,
      ${foundIn(shape, sql`count(id)`)} as own ${version}
    from hits
    union all
    select c.id, counted.count, cast(null as bigint), cast(null as bigint),
      cast(null as bigint), cast(0 as bigint), cast(0 as bigint) ${version}
    from counted
    join ${sql.table("categories")} as c
      on c.store_id = ${param("store_id")} and c.id = counted.category_id and c.enabled = 1`;
}

/**
 * Tells whether the search finds its hits in the whole store. Those of the category are taken from
 * them, so that a search with too many hits in the store is not counted in a category either.
 */
const isOfStore = ({ search, bounded }: FacetShape): boolean => search !== null && !bounded;

function foundIn(shape: FacetShape, count: RawBuilder<unknown>): RawBuilder<unknown> {
  const counted = sql`(select ${count} from found)`;
  return isCounted(shape) ? countUnlessCommon(maxFacetHits, counted) : counted;
}

interface FoundColumns {
  readonly shape: FacetShape;
  readonly columns: NamedColumns;
}

/** Selects the id and columns of one product more than are counted. */
function foundProducts(
  engine: SqlEngine,
  { shape, columns }: FoundColumns,
  param: Param,
): RawBuilder<unknown> {
  const { dialect } = engine;
  const limit = maxFacetHits + 1;
  if (shape.by === "scan") {
    const named = Object.entries(columns).map(([name, value]) => value.as(name));
    const whole = isOfStore(shape) ? { ...shape, category: null } : shape;
    const scanned = matchingProducts(engine, whole, param).select(["p.id", ...named]);
    return sql`select * from ${scanned.limit(sql.lit(limit))} as scanned`;
  }

  const words = hasWords(dialect, "p", param, several(shape));
  return dialect.searchHits({
    store_id: param("store_id"),
    terms: [param("term"), ...(shape.by === "two terms" ? [param<string>("other_term")] : [])],
    found: shape.groups ? sql<boolean>`${words} and p.group_hidden is null` : words,
    columns,
    drafts: false,
    limit,
    ...(isCounted(shape) && { unless: isCommon }),
  });
}
