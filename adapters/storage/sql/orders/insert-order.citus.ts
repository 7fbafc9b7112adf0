import { orderTerms } from "../../../../src/rules/order-terms.ts";
import type { OrderRecord } from "../../../../src/rules/records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepare, prepareEach, type QueryGenerator } from "../engine/queries.ts";
import { newOrder, orderValues } from "./order-columns.ts";

/** Uses one statement per table, because Citus routes no insert that selects from a JSON list. */
export function insertOrderOnCitus({ db }: SqlEngine) {
  const insert = prepare((param) => newOrder(db, param));
  const insertTerms = prepareEach(
    (count: number) => count,
    (count, param) =>
      db.insertInto("order_terms").values(
        Array.from({ length: count }, (_, index) => ({
          store_id: param<string>("store_id"),
          livemode: param<0 | 1>("livemode"),
          term: param<string>(`term${index}`),
          number: param<number>("number"),
        })),
      ),
  );

  return function* insertOrder(order: OrderRecord): QueryGenerator<void> {
    const values = orderValues(order);
    yield* many(insert(values));

    const terms = orderTerms(order);
    if (terms.length === 0) return;
    const named = Object.fromEntries(terms.map((term, index) => [`term${index}`, term]));
    yield* many(insertTerms(terms.length, { ...values, ...named }));
  };
}
