import { type RawBuilder, sql } from "kysely";
import type { SqlEngine } from "../../engine/engine.ts";
import type { Param } from "../../engine/queries.ts";
import type { IndexedSearch } from "../../schema/dialect.ts";
import { type ListShape, matchingProducts } from "../list.ts";
import { foundByTerms } from "./search-match.ts";

export interface FoundShape extends ListShape {
  /** Where products are found: by one or two terms of the index, or by a scan of the products. */
  readonly by: "term" | "two terms" | "scan";
}

/**
 * Tells whether a search first reads its hits in the whole store, and then keeps those of the
 * category. If the store has too many hits, the category's hits are not counted.
 */
export const isOfStore = ({ search, bounded }: ListShape): boolean => search !== null && !bounded;

/** Selects the id and columns of the products of a list or search, in no order. */
export function foundProducts(
  engine: SqlEngine,
  shape: FoundShape,
  param: Param,
  { columns, limit, unless }: Pick<IndexedSearch, "columns" | "limit" | "unless">,
): RawBuilder<unknown> {
  const { dialect } = engine;
  if (shape.by === "scan") {
    const named = Object.entries(columns).map(([name, value]) => value.as(name));
    const whole = isOfStore(shape) ? { ...shape, category: null } : shape;
    const scanned = matchingProducts(engine, whole, param)
      .select(["p.id", ...named])
      .limit(dialect.limitUnless(limit, unless));
    return sql`select * from ${scanned} as scanned ${unless ? sql`where not ${unless}` : sql``}`;
  }

  return dialect.searchHits({
    store_id: param("store_id"),
    terms: [param("term"), ...(shape.by === "two terms" ? [param<string>("other_term")] : [])],
    found: foundByTerms(dialect, shape, param),
    drafts: false,
    ...{ columns, limit, unless },
  });
}
