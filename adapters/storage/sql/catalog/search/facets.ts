import { type RawBuilder, sql } from "kysely";
import type { AllProductFacets } from "#core/contract/catalog/facets-schema.ts";
import { maxFacetHits } from "#core/rules/catalog/facets.ts";
import { readSearch } from "#core/rules/catalog/search/product-search.ts";
import type { ProductQuery } from "#core/storage/types.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type Param, prepareEach } from "../../engine/queries.ts";
import type { NamedColumns } from "../../schema/dialect.ts";
import { categoryId, type ListShape, nameOfShape } from "../list.ts";
import { catalogVersion, documentColumn, requireFreshness } from "../owner/document-rows.ts";
import { availableMark } from "../owner/product-facets.ts";
import {
  countedColumns,
  countedKinds,
  type FacetRow,
  facetRows,
  facetsIn,
  hasOutdated,
  isOutdated,
  isTooMany,
  oneWhere,
} from "./facet-counts.ts";
import { type FoundShape, foundProducts } from "./hits.ts";
import {
  commonWord,
  countUnlessCommon,
  isCommon,
  isCounted,
  searchValues,
} from "./search-match.ts";

interface FacetShape extends FoundShape {
  /** True when the columns of the products are counted, and false when their records are. */
  readonly columns: boolean;
}

/** Counts the products of a list. Null when there are too many of them. */
export function prepareFacets(engine: SqlEngine, replica: boolean) {
  const fresh = requireFreshness(replica);
  const counts = prepareEach(
    (shape: FacetShape) => nameOfShape(shape) + shape.by + shape.columns,
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
      passed: false,
    };
    const [term, other_term] =
      search?.ranked && engine.indexesText() ? engine.dialect.searchTerms(search.words) : [];
    const values = {
      store_id,
      category: category_slug ?? category_id,
      ...(search && searchValues(search)),
      ...{ term, other_term },
    };
    const readBy = async (by: FacetShape["by"], columns: boolean) => {
      const rows = await engine.read(() => many(counts({ ...shape, by, columns }, values)));
      return fresh(rows, query.catalog_version);
    };
    const read = async (by: FacetShape["by"]) => {
      const rows = await readBy(by, true);
      return hasOutdated(rows) && !isTooMany(rows) ? await readBy(by, false) : rows;
    };

    const byTerm = other_term === undefined ? "term" : "two terms";
    const rows = await read(term === undefined ? "scan" : byTerm);
    // The rows of other stores count as hits of SQLite's index: a scan may still find few.
    const isUnsure = term !== undefined && isTooMany(rows) && !isTooMany(rows, "own");
    return facetsIn(isUnsure ? await read("scan") : rows);
  };
}

/** Selects the counts, in rows. */
function countQuery(engine: SqlEngine, shape: FacetShape, param: Param): RawBuilder<FacetRow> {
  const { columns, replica } = shape;
  const version = replica ? sql`, ${catalogVersion(param)} as catalog_version` : sql``;
  const counts = facetRows(param, {
    found: foundIn(shape, sql.ref("found")),
    own: foundIn(shape, sql.ref("own")),
    outdated: columns ? isOutdated(engine, param) : sql`0`,
    version,
  });
  return sql<FacetRow>`
    with ${knownMany(shape, param)}
    ${countedKinds(engine, shape, countedProducts(engine, shape, param), param)}
    ${counts}`;
}

/** Selects what is counted of each product found: its columns, or what its record says. */
function countedProducts(engine: SqlEngine, shape: FacetShape, param: Param): RawBuilder<unknown> {
  const { dialect } = engine;
  const { livemode } = shape;
  const limit = maxFacetHits + 1;
  const unless = looksFirst(shape) ? isCommon : undefined;
  const find = (columns: NamedColumns) =>
    foundProducts(engine, shape, param, { columns, limit, unless });
  if (shape.columns) return find(countedColumns(dialect, livemode));

  const document = sql.ref<string>(`p.${documentColumn(livemode)}`);
  const available = oneWhere(dialect.contains(document, sql.lit(availableMark)));
  const columns = { record: sql.ref("p.record"), available };
  const record = dialect.jsonFields("r", sql`p.record`, { price: "bigint", category_ids: "text" });
  return sql`
    select p.id, ${record.field("price")} as price,
      ${record.field("category_ids")} as category_ids, p.available
    from (${find(columns)}) as p ${record.from}`;
}

function foundIn(shape: FacetShape, count: RawBuilder<unknown>): RawBuilder<unknown> {
  const counted = sql`(select coalesce(sum(${count}), 0) from kinds)`;
  return looksFirst(shape) ? countUnlessCommon(maxFacetHits, counted) : counted;
}

/** Tells whether a look that is cheaper than to read the products may find them too many. */
const looksFirst = (shape: FacetShape): boolean => isCounted(shape) || shape.search === null;

/** Selects a row where it is known, without the products being read, that they are too many. */
function knownMany(shape: FacetShape, param: Param): RawBuilder<unknown> {
  if (isCounted(shape)) return commonWord(maxFacetHits, param);
  return shape.search === null ? manyListed(shape, param) : sql``;
}

/** So many drafts of the store are taken off a category's products, as if all were among them. */
const mostDrafts = 1_000;

/**
 * Selects a row where a list without a search has too many products. An index counts the whole
 * list, and the links of a category. Some of the drafts may be among these.
 */
function manyListed(shape: FacetShape, param: Param): RawBuilder<unknown> {
  const products = sql.table("products");
  const own = sql`store_id = ${param("store_id")}`;
  const shown = shape.groups ? sql`and group_hidden is null` : sql``;
  const first = (rows: RawBuilder<unknown>, most: number) =>
    sql`(select count(*) from (
      select 1 as one from ${rows} limit ${sql.lit(most + 1)}) as counted)`;

  const listed = first(sql`${products} where ${own} and active = 1 ${shown}`, maxFacetHits);
  const ofCategory = sql`category_id = ${categoryId(shape.category ?? "id", param)}`;
  const links = sql`${sql.table("product_categories")} where ${own} and ${ofCategory} ${shown}`;
  const linked = sql`${first(links, maxFacetHits + mostDrafts)}
    - ${first(sql`${products} where ${own} and active = 0`, mostDrafts)}`;

  return sql`
    common as materialized (
      select 1 as one where ${shape.category === null ? listed : linked} > ${sql.lit(maxFacetHits)}
    ),`;
}
