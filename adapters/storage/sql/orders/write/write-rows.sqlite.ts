import type { OrderRecord } from "#core/rules/records.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { changed, many, prepare, type QueryGenerator } from "../../engine/queries.ts";
import { paymentWriter } from "../payments.ts";
import { insertOrderOnSqlite } from "./insert-order.sqlite.ts";
import { orderUpdateValues } from "./order-columns.ts";
import {
  attemptUpsert,
  attemptValues,
  orderUpdate,
  sessionUpdate,
  sessionValues,
} from "./row-statements.ts";
import { movedOrder, type WriteRows } from "./step-rows.ts";

/** Writes each row by its own statement: on SQLite no statement can write to two tables. */
export function writeRowsOnSqlite(engine: SqlEngine): WriteRows {
  const { db } = engine;
  const updateSession = prepare((param) => sessionUpdate(db, param));
  const insertOrder = insertOrderOnSqlite(engine);
  const updateOrder = prepare((param) => orderUpdate(db, param));
  const putAttempt = prepare((param) => attemptUpsert(db, param));
  const money = paymentWriter(engine);

  function* putOrder(
    order: OrderRecord,
    before: OrderRecord | null,
    offset: number,
  ): QueryGenerator<void> {
    if (!before) return yield* insertOrder(order, offset);
    const values = orderUpdateValues(order, before, offset);
    if (!(yield* changed(updateOrder(values)))) throw movedOrder();
  }

  return function* writeRows({ session, order, order_before, attempts, payments, offset }) {
    if (session) yield* many(updateSession(sessionValues(session, offset)));
    if (order && order !== order_before) yield* putOrder(order, order_before, offset);
    for (const attempt of attempts) yield* many(putAttempt(attemptValues(attempt, offset)));
    for (const payment of payments) yield* money.put(payment, offset);
    return true;
  };
}
