import { sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type Place, prepareEach, type Step } from "../engine/step.ts";
import { categoryId, type DocumentRow, type ListShape, nameOfShape, storeVersion } from "./list.ts";

/** Of more matches than this a page is found sooner by walking the list in its order: then each row is likely to be one. */
const maxHits = 500;

interface HitRow {
  readonly hits: number;
  readonly id: string | null;
  readonly position: number | null;
  readonly document: string | null;
  readonly document_version: number | null;
  readonly catalog_version?: number;
}

/**
 * A page of matches through the search index; null when the term is too short for it or found too often. The hits stand in a step of their own:
 * under `order by … limit` PostgreSQL's planner would rather walk the whole list than ask the index.
 */
export function indexedSearch(engine: SqlEngine) {
  const { db, dialect } = engine;
  const page = prepareEach(nameOfShape, (shape: ListShape, place) => ({
    compile: () => pageQuery(engine, shape, place).compile(db),
  }));
  return function* (
    shape: ListShape,
    values: Readonly<Record<string, unknown>>,
    search: string,
  ): Step<readonly DocumentRow[] | null> {
    const term = dialect.indexTerm(search);
    if (term === null) return null;
    const rows = yield* many(page(shape, { ...values, term }));
    if (rows.some(({ hits }) => hits > maxHits)) return null;
    return rows.flatMap(({ id, position, document, document_version, ...version }) =>
      id === null || position === null || document === null || document_version === null
        ? []
        : [{ id, position, document, document_version, ...version }],
    );
  };
}

function pageQuery(
  { dialect }: SqlEngine,
  { livemode, replica, category, after }: ListShape,
  place: Place,
) {
  const inCategory =
    category === null
      ? sql``
      : sql`and exists (select 1 from ${sql.table("product_categories")} as pc where pc.store_id = ${place("store_id")}
          and pc.product_id = hits.id and pc.category_id = ${categoryId(category, place)} limit 1 offset 0)`; // `offset` keeps it a look-up for each hit: as a join it read the whole category for each
  const later = after
    ? sql`and (hits.position, hits.id) > (${place("position")}, ${place("id")})`
    : sql``;
  // As selects: as numbers alone they would make PostgreSQL plan each search anew.
  const number = (name: string) => sql`cast(${place(name)} as bigint)`;
  return sql<HitRow>`
    with hits as materialized (${dialect.indexHits(place, maxHits + 1)}),
    page as materialized (
      select hits.id, hits.position from hits where hits.id is not null and (select count(*) from hits) <= ${sql.lit(maxHits)} ${inCategory} ${later}
      order by hits.position, hits.id limit (select ${number("limit")}) offset (select ${number("offset")}))
    select (select count(*) from hits) as hits, ${replica ? sql`${storeVersion(place)} as catalog_version,` : sql``} p.id, p.position, p.document_version, ${sql.ref(livemode ? "p.document_live" : "p.document_test")} as document
    from (select 1 as one) as always left join page on 1 = 1
    left join ${sql.table("products")} as p on p.store_id = ${place("store_id")} and p.id = page.id
    order by page.position, page.id`;
}
