import { orderTerms } from "../../../../src/rules/order-terms.ts";
import type { OrderRecord } from "../../../../src/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepare, type QueryGenerator } from "../engine/queries.ts";
import { rowsInserter } from "../engine/rows-inserter.ts";
import type { Tables } from "../schema/tables.ts";
import { newOrder, orderValues } from "./order-columns.ts";

/** Uses one statement per table, because Citus routes no insert that selects from a JSON list. */
export function insertOrderOnCitus({ db }: SqlEngine) {
  const insert = prepare((param) => newOrder(db, param));
  const insertTerms = rowsInserter<Tables["order_terms"]>(
    ["store_id", "livemode", "term", "number"],
    (rows) => db.insertInto("order_terms").values([...rows]),
  );

  return function* insertOrder(order: OrderRecord): QueryGenerator<void> {
    yield* many(insert(orderValues(order)));

    const key = { ...partitionColumns(order), number: order.number };
    yield* insertTerms(orderTerms(order).map((term) => ({ ...key, term })));
  };
}
