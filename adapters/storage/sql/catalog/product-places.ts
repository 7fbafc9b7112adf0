import { sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareEach, type QueryGenerator } from "../engine/queries.ts";
import { jsonInteger } from "../schema/json-fields.ts";
import { categoryId, type ListShape } from "./list.ts";

/**
 * Reads whether each product of a category has its price and time beside it. A process of an
 * older version writes neither.
 */
export function prepareIndexedCheck(engine: SqlEngine) {
  const unfilled = prepareEach(String, (category: "slug" | "id", param) =>
    engine.db
      .selectFrom("product_categories")
      .select("product_id")
      .where("store_id", "=", param<string>("store_id"))
      .where("category_id", "=", categoryId(category, param))
      .where("price", "is", null)
      .limit(1),
  );

  return async (
    { category, sort }: ListShape,
    values: Readonly<Record<string, unknown>>,
  ): Promise<boolean> => {
    if (category === null || sort === "position") return true;
    const rows = await engine.read(() => many(unfilled(category, values)));
    return rows.length === 0;
  };
}

/**
 * Fills the price and the time of at most `limit` rows, of one store or of all, and gives how
 * many there were. A product that is written meanwhile has its rows made anew, complete.
 */
export function* fillProductPlaces(
  { db, dialect }: SqlEngine,
  limit: number,
  store_id?: string,
): QueryGenerator<number> {
  const link = sql.table("product_categories");
  const ofStore = store_id === undefined ? sql`` : sql`and store_id = ${store_id}`;
  const products = sql.table("products");
  const ofProduct = (field: string) => sql`coalesce((
    select ${sql.raw(jsonInteger(dialect.name, "p.record", field))} from ${products} as p
    where p.store_id = l.store_id and p.id = l.product_id), 0)`;

  const filled = yield* many(
    sql<{ product_id: string }>`
      with picked as materialized (
        select store_id, category_id, product_id from ${link}
        where price is null ${ofStore}
        order by store_id, category_id, product_id
        limit ${sql.lit(limit)} ${dialect.skipLockedText})
      update ${link} as l
      set price = ${ofProduct("price")}, created_at = ${ofProduct("created_at")}
      where (l.store_id, l.category_id, l.product_id) in (select * from picked)
        and l.price is null ${store_id === undefined ? sql`` : sql`and l.store_id = ${store_id}`}
      returning product_id`.compile(db),
  );
  return filled.length;
}
