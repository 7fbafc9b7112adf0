import { type RawBuilder, sql } from "kysely";
import type { AllProductFacets } from "#core/contract/catalog/facets-schema.ts";
import { mostRanked } from "#core/rules/catalog/search/product-rank.ts";
import type { ProductSearch } from "#core/rules/catalog/search/product-search.ts";
import { fromJson } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type Param, prepareEach, type QueryGenerator } from "../../engine/queries.ts";
import type { NamedColumns } from "../../schema/dialect.ts";
import { inCategory, type ListShape, nameOfShape, placeOf, several, wordsOf } from "../list.ts";
import { catalogVersion, type DocumentRow, documentColumn } from "../owner/document-rows.ts";
import {
  countedColumns,
  countedKinds,
  type FacetRow,
  facetRowColumns,
  facetRows,
  facetsIn,
  hasOutdated,
  isOutdated,
} from "./facet-counts.ts";
import { type FoundShape, foundProducts } from "./hits.ts";
import { commonWord, countUnlessCommon, isCommon, isCounted, placeOfRank } from "./search-match.ts";
import { promotedPage } from "./search-promoted.ts";

/**
 * With more matches than this, walking a list in its order finds a page sooner,
 * because each product is then likely to match.
 */
const maxHits = 500;

interface HitRow {
  /** The number of rows that were found, the same in every row. */
  readonly hits: number;
  /** The number of rows that are products of the store. */
  readonly own: number;
  readonly id: string | null;
  readonly position: number | null;
  readonly document: string | null;
  readonly document_version: number | null;
  readonly catalog_version?: number;
  /** The counts of all hits as JSON, if they are wanted. Null in all rows but one. */
  readonly facets?: string | null;
}

interface HitShape extends FoundShape {
  /** True when the hits are counted for facets too, so that they are read once. */
  readonly facets: boolean;
}

export interface SearchPage {
  readonly rows: readonly DocumentRow[];
  /** The facets, if the statement of the page has counted them. */
  readonly facets?: AllProductFacets | null;
}

/**
 * Reads a page of matches through the search index, or by relevance. It gives null for
 * another order when there is no index, or the term is too short for it or has too many hits.
 */
export function prepareSearch(engine: SqlEngine) {
  const { db, dialect } = engine;
  const page = prepareEach(
    (shape: HitShape) => nameOfShape(shape) + shape.by + shape.facets,
    (shape, param) => ({ compile: () => pageQuery(engine, shape, param).compile(db) }),
  );
  const promoted = prepareEach(nameOfShape, (shape: ListShape, param) => ({
    compile: () => promotedQuery(engine, shape, param).compile(db),
  }));

  return function* searchPage(
    shape: ListShape,
    values: Readonly<Record<string, unknown>>,
    { words, ranked, facets }: ProductSearch & { readonly facets: boolean },
  ): QueryGenerator<SearchPage | null> {
    const [term, other_term] = engine.indexesText() ? dialect.searchTerms(words) : [];
    const byRelevance = shape.sort === "relevance";
    const limit = limitOf(shape);

    const ways: HitShape["by"][] = [];
    if (term !== undefined) ways.push(other_term === undefined ? "term" : "two terms");
    if (byRelevance) ways.push("scan");
    for (const by of ranked ? ways : []) {
      const hitShape = { ...shape, by, facets: facets && byRelevance };
      const rows = yield* many(page(hitShape, { ...values, term, other_term }));
      if (rows.every(({ hits }) => hits <= limit))
        return { rows: documentsOf(rows), ...countedIn(rows) };
      // The rows of other stores count as hits of SQLite's index: a scan may still find few.
      if (rows.some(({ own }) => own > limit)) break;
    }
    return byRelevance ? { rows: documentsOf(yield* many(promoted(shape, values))) } : null;
  };
}

const limitOf = ({ sort }: ListShape): number => (sort === "relevance" ? mostRanked : maxHits);

const documentsOf = (rows: readonly HitRow[]): readonly DocumentRow[] =>
  rows.flatMap(({ hits: _, own: __, facets: ___, ...row }) => {
    const { id, position, document, document_version } = row;
    return id === null || position === null || document === null || document_version === null
      ? []
      : [{ ...row, id, position, document, document_version }];
  });

/** Gives the facets that the rows bring, unless an older version wrote a product of the store. */
function countedIn(rows: readonly HitRow[]): Pick<SearchPage, "facets"> {
  const counted = rows.find(({ facets }) => typeof facets === "string")?.facets;
  const counts = counted ? fromJson<readonly FacetRow[]>(counted) : [];
  return counts.length === 0 || hasOutdated(counts) ? {} : { facets: facetsIn(counts) };
}

/**
 * The hits are materialized: under `order by … limit`, PostgreSQL's planner would
 * rather walk the whole list than ask the index.
 */
function pageQuery(engine: SqlEngine, shape: HitShape, param: Param): RawBuilder<HitRow> {
  const order = sql.raw(wordsOf(shape).order);
  const limit = sql.lit(limitOf(shape));
  const kinds = shape.facets
    ? sql`, ${countedKinds(engine, shape, sql`select * from hits`, param)}`
    : sql``;

  return sql<HitRow>`
    with ${knowsCommon(shape) ? commonWord(limitOf(shape), param) : sql``}
    hits as materialized (${hitsOf(engine, shape, param)}),
    counted as materialized (select count(*) as hits, count(id) as own from hits),
    page as materialized (
      select hits.id, hits.position from hits
      where hits.id is not null
        and (select hits from counted) <= ${limit}
        ${inCategory(shape, param, "hits")}
        ${afterCursor(shape, param)}
      order by hits.position ${order}, hits.id ${order}
      limit (select ${integer(param, "limit")}) offset (select ${integer(param, "offset")})
    ) ${kinds}
    select ${countOf(shape, "hits")} as hits, ${countOf(shape, "own")} as own,
      ${shape.facets ? sql`${facetsOnce(engine, limit, param)} as facets,` : sql``}
      ${documents(engine, shape, param)}`;
}

/** Selects the counts of all hits as JSON, in one row of the page, unless there are too many. */
function facetsOnce(engine: SqlEngine, limit: RawBuilder<number>, param: Param) {
  const counts = facetRows(param, {
    ...{ found: sql`0`, own: sql`0` },
    outdated: isOutdated(engine, param),
  });
  return sql`case
      when (select hits from counted) <= ${limit}
        and coalesce(page.id, '') = coalesce((select min(id) from page), '')
      then (select ${engine.dialect.jsonList(facetRowColumns)} from (${counts}) as counts) end`;
}

const knowsCommon = (shape: HitShape): boolean => shape.sort === "relevance" && isCounted(shape);

function countOf(shape: HitShape, count: "hits" | "own"): RawBuilder<unknown> {
  const counted = sql`(select ${sql.ref(count)} from counted)`;
  return knowsCommon(shape) ? countUnlessCommon(limitOf(shape), counted) : counted;
}

/** Selects the names that equal the search or begin with it, then the rest by position. */
const promotedQuery = (engine: SqlEngine, shape: ListShape, param: Param): RawBuilder<HitRow> =>
  sql<HitRow>`
    ${promotedPage(engine, shape, param)}
    select 0 as hits, 0 as own, ${documents(engine, shape, param)}`;

/** Selects the documents of the rows that stand in `page`, in their order. */
function documents(engine: SqlEngine, shape: ListShape, param: Param): RawBuilder<unknown> {
  const order = sql.raw(wordsOf(shape).order);
  const document = sql.ref(`p.${documentColumn(shape.livemode)}`);
  const version = shape.replica ? sql`${catalogVersion(param)} as catalog_version,` : sql``;
  const { rows, on } = engine.dialect.lookUp(param("store_id"), sql.ref("page.id"));

  return sql`${version}
      p.id, page.position, p.document_version, ${document} as document
    from (select 1 as one) as always
    left join page on 1 = 1
    left join ${rows} as p on ${on}
    order by page.position ${order}, page.id ${order}`;
}

/** Selects one hit more than are ranked. */
function hitsOf(engine: SqlEngine, shape: HitShape, param: Param): RawBuilder<unknown> {
  const { dialect } = engine;
  const limit = limitOf(shape) + 1;
  const place = (table: string) =>
    shape.sort === "relevance"
      ? placeOfRank(dialect, table, param, several(shape))
      : placeOf(engine, shape, table);
  const columns: NamedColumns = {
    position: place("p"),
    ...(shape.facets && countedColumns(dialect, shape.livemode)),
  };
  const unless = knowsCommon(shape) ? isCommon : undefined;
  return foundProducts(engine, shape, param, { columns, limit, unless });
}

const afterCursor = (shape: ListShape, param: Param): RawBuilder<unknown> =>
  shape.after
    ? sql`and (hits.position, hits.id) ${wordsOf(shape).behind}
        (${param("position")}, ${param("id")})`
    : sql``;

/**
 * Casts a number for the query to select: as a plain number, it would have
 * PostgreSQL plan each search anew.
 */
const integer = (param: Param, name: string) => sql`cast(${param(name)} as bigint)`;
