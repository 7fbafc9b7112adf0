import { sql } from "kysely";
import { orderTerms } from "../../../../src/rules/order-terms.ts";
import type { OrderRecord } from "../../../../src/rules/records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { newOrder, orderValues } from "./order-columns.ts";

/** One statement writes both tables: it saves a round trip of each checkout. */
export function insertOrderOnPostgres({ db, dialect }: SqlEngine) {
  const insert = prepareRaw<unknown>(
    db,
    (param) => sql`
      with o as (${newOrder(db, param).returning(["store_id", "livemode", "number"])})
      insert into ${sql.table("order_terms")} (store_id, livemode, term, number)
      select o.store_id, o.livemode, value, o.number
      from o cross join ${dialect.jsonValues(param("terms"))}`,
  );

  return function* insertOrder(order: OrderRecord): QueryGenerator<void> {
    yield* many(insert({ ...orderValues(order), terms: JSON.stringify(orderTerms(order)) }));
  };
}
