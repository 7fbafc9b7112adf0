import { sql } from "kysely";
import { orderTerms } from "#core/rules/orders/order-terms.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepare, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import { newOrder, orderValues } from "./order-columns.ts";

/** Uses one statement for each table, because no statement of SQLite can write to two. */
export function insertOrderOnSqlite({ db, dialect }: SqlEngine) {
  const insert = prepare((param) => newOrder(db, param));
  const insertTerms = prepareRaw<unknown>(
    db,
    (param) => sql`
      insert into ${sql.table("order_terms")} (store_id, livemode, term, number)
      select ${param("store_id")}, ${param("livemode")}, value, ${param("number")}
      from ${dialect.jsonValues(param("terms"))}`,
  );

  return function* insertOrder(order: OrderRecord, offset: number): QueryGenerator<void> {
    const values = { ...orderValues(order, offset), terms: JSON.stringify(orderTerms(order)) };
    yield* many(insert(values));
    yield* many(insertTerms(values));
  };
}
