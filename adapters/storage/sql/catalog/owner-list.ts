import { sql } from "kysely";
import type { ProductRecord } from "../../../../src/rules/records.ts";
import type { OwnProductQuery } from "../../../../src/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

/** A search with more matches walks the list instead, which then finds a page soon. */
const maxHits = 500;

/** A page of the owner's products in the order of their ids, drafts too. */
export function* listOwnProducts(
  engine: SqlEngine,
  store_id: string,
  query: OwnProductQuery,
): QueryGenerator<readonly ProductRecord[]> {
  const { db, dialect } = engine;
  const { search, active, category_id, after, limit } = query;
  let page = db.selectFrom("products").select("record").where("store_id", "=", store_id);

  if (search !== undefined) {
    const hits = yield* findHits(engine, store_id, search);
    if (hits?.length === 0) return [];

    page = hits
      ? page.where("id", "in", hits)
      : page.where((eb) =>
          eb.or([
            dialect.contains(eb.ref("name_folded"), eb.val(search)),
            dialect.contains(eb.ref("slug"), eb.val(search)),
          ]),
        );
  }

  // A literal, as in the partial index: a parameter would hide the index from a generic plan.
  if (active !== undefined) page = page.where("active", "=", sql.lit(active ? 1 : 0));
  if (category_id !== undefined)
    page = page.where("id", "in", (eb) =>
      eb
        .selectFrom("product_categories")
        .select("product_id")
        .where("store_id", "=", store_id)
        .where("category_id", "=", category_id),
    );
  if (after !== null) page = page.where("id", ">", after);

  const rows = yield* many(page.orderBy("id").limit(limit));
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
