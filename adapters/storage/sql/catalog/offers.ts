import { isOffered } from "#core/rules/catalog/stock.ts";
import type { ProductRecord, SessionRecord } from "#core/rules/records.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareEach, type QueryGenerator } from "../engine/queries.ts";

/**
 * Finds which products of a session can be bought. These are no drafts, and are
 * neither blocked nor deleted.
 */
export function prepareOffers({ db }: SqlEngine) {
  const find = prepareEach(
    (count: number) => count,
    (count, param) => {
      const ids = Array.from({ length: count }, (_, index) => param<string>(`p${index}`));
      return db
        .selectFrom("products")
        .select("record")
        .where("store_id", "=", param<string>("store_id"))
        .where("id", "in", ids);
    },
  );

  return function* findOffered({
    store_id,
    lines,
  }: Pick<SessionRecord, "store_id" | "lines">): QueryGenerator<ReadonlySet<string>> {
    const ids = [...new Set(lines.map(({ product_id }) => product_id))];
    const values = Object.fromEntries(ids.map((id, index) => [`p${index}`, id]));

    const rows = yield* many(find(ids.length, { store_id, ...values }));
    return offeredOf(rows.map((row) => fromJson<ProductRecord>(row.record)));
  };
}

/** Gives the ids of those products that can be bought. */
export const offeredOf = (products: readonly ProductRecord[]): ReadonlySet<string> =>
  new Set(products.filter(isOffered).map(({ id }) => id));
