import { quantityByProduct } from "#core/rules/orders/order-goods.ts";
import type { SessionRecord } from "#core/rules/records.ts";
import { prepareOffers } from "../../catalog/offers.ts";
import { prepareStockLock } from "../../catalog/stock/stock.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { moneyInOneStatement } from "../payments.ts";
import { type LockCheckout, orderOfSessionLock, sessionLock } from "./locks.ts";

/** Locks the rows of a checkout by one statement a table, in the order of the locks. */
export function lockCheckoutInSteps(engine: SqlEngine): LockCheckout {
  const lockSession = sessionLock(engine);
  const lockOrder = orderOfSessionLock(engine);
  const moneyOf = moneyInOneStatement(engine);
  const findOffered = prepareOffers(engine);
  const lockStock = prepareStockLock(engine);

  return function* lockCheckout(partition, session_id, { judges_products, ...named }) {
    const session = yield* lockSession(partition, session_id);
    if (!session) return null;

    const order = yield* lockOrder(partition, session.id);
    const money = yield* moneyOf(session, order, named);
    const offered = judges_products ? yield* findOffered(session) : null;
    const stock = yield* lockStock(session, productsOf(session));
    return { session, order, ...money, offered, stock };
  };
}

/** Gives the products whose stock a session may take. */
export const productsOf = (session: SessionRecord): readonly string[] =>
  quantityByProduct(session).map(([product_id]) => product_id);
