import { type RawBuilder, sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Param, prepareEach, type QueryGenerator } from "../engine/queries.ts";
import { categoryId, type ListShape, nameOfShape, placeOf, wordsOf } from "./list.ts";
import { catalogVersion, type DocumentRow, documentColumn } from "./owner/document-rows.ts";

/**
 * With more matches than this, walking the list in its order finds a page sooner,
 * because each product is then likely to match.
 */
const maxHits = 500;

interface HitRow {
  /** The index found this many products. Every row holds the number. */
  readonly hits: number;
  readonly id: string | null;
  readonly position: number | null;
  readonly document: string | null;
  readonly document_version: number | null;
  readonly catalog_version?: number;
}

/**
 * Reads a page of matches through the search index. It gives null when there is no
 * index, or the term is too short for it or has too many hits.
 */
export function prepareIndexedSearch(engine: SqlEngine) {
  const { db, dialect } = engine;
  const page = prepareEach(nameOfShape, (shape: ListShape, param) => ({
    compile: () => pageQuery(engine, shape, param).compile(db),
  }));

  return function* searchPage(
    shape: ListShape,
    values: Readonly<Record<string, unknown>>,
    search: string,
  ): QueryGenerator<readonly DocumentRow[] | null> {
    const term = dialect.searchTerm(search);
    if (term === null || !engine.indexesText()) return null;

    const rows = yield* many(page(shape, { ...values, term }));
    if (rows.some(({ hits }) => hits > maxHits)) return null;
    return rows.flatMap(({ id, position, document, document_version, ...version }) =>
      id === null || position === null || document === null || document_version === null
        ? []
        : [{ id, position, document, document_version, ...version }],
    );
  };
}

/**
 * The hits are materialized: under `order by … limit`, PostgreSQL's planner would
 * rather walk the whole list than ask the index.
 */
function pageQuery(engine: SqlEngine, shape: ListShape, param: Param): RawBuilder<HitRow> {
  const { dialect } = engine;
  const order = sql.raw(wordsOf(shape).order);
  const hits = dialect.searchHits({
    store_id: param("store_id"),
    term: param("term"),
    search: param("search"),
    place: placeOf(engine, shape, "p"),
    drafts: false,
    limit: maxHits + 1,
  });
  const document = sql.ref(`p.${documentColumn(shape.livemode)}`);
  const version = shape.replica ? sql`${catalogVersion(param)} as catalog_version,` : sql``;

  return sql<HitRow>`
    with hits as materialized (${hits}),
    page as materialized (
      select hits.id, hits.position from hits
      where hits.id is not null
        and (select count(*) from hits) <= ${sql.lit(maxHits)}
        ${inCategory(shape, param)}
        ${afterCursor(shape, param)}
      order by hits.position ${order}, hits.id ${order}
      limit (select ${integer(param, "limit")}) offset (select ${integer(param, "offset")})
    )
    select (select count(*) from hits) as hits, ${version}
      p.id, page.position, p.document_version, ${document} as document
    from (select 1 as one) as always
    left join page on 1 = 1
    left join ${sql.table("products")} as p on p.store_id = ${param("store_id")} and p.id = page.id
    order by page.position ${order}, page.id ${order}`;
}

/**
 * `offset 0` keeps this a look-up for each hit. Without it, the planner makes a
 * join of it that reads the whole category for each hit.
 */
const inCategory = ({ category }: ListShape, param: Param): RawBuilder<unknown> =>
  category === null
    ? sql``
    : sql`and exists (
        select 1 from ${sql.table("product_categories")} as pc
        where pc.store_id = ${param("store_id")} and pc.product_id = hits.id
          and pc.category_id = ${categoryId(category, param)}
        limit 1 offset 0)`;

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
