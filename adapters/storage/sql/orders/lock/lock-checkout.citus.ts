import { sql } from "kysely";
import { byCreation } from "#core/rules/payments/order-money.ts";
import { readAttempt, readPayment } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, ProductRecord, SessionRecord } from "#core/rules/records.ts";
import { offeredOf } from "../../catalog/offers.ts";
import { type CountRow, readCount } from "../../catalog/stock/stock-count.ts";
import { fromJson, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw } from "../../engine/queries.ts";
import { functionNames } from "../../schema/function-names.ts";
import { messageReader } from "../notifications.ts";
import type { LockedRow } from "./lock-function.ts";
import type { LockCheckout } from "./locks.ts";

/** The node of the store locks and reads all of it, by one call of `lockFunction`. */
export function lockCheckoutOnCitus(engine: SqlEngine): LockCheckout {
  const isNoted = messageReader(engine);
  const lock = prepareRaw<LockedRow>(
    engine.db,
    (param) => sql`
      select * from ${sql.table(functionNames.lockCheckout)}(${param("store_id")},
        ${param("livemode")}, ${param("session_id")}, ${param("reference")}, ${param("judges")})`,
  );

  return function* lockCheckout(partition, session_id, { reference, message, judges_products }) {
    const values = { ...partitionColumns(partition), session_id, reference };
    const rows = yield* many(lock({ ...values, judges: judges_products }));
    const rowsOf = (kind: LockedRow["kind"]) => rows.filter((row) => row.kind === kind);
    const [session] = rowsOf("session");
    if (!session) return null;

    const [order] = rowsOf("order");
    const products = rowsOf("product").map(({ record }) => fromJson<ProductRecord>(record));
    return {
      session: fromJson<SessionRecord>(session.record),
      order: order ? fromJson<OrderRecord>(order.record) : null,
      attempts: rowsOf("attempt")
        .map(({ record }) => readAttempt(record))
        .sort(byCreation),
      payments: rowsOf("payment")
        .map(({ record }) => readPayment(record))
        .sort(byCreation),
      elsewhere: rowsOf("elsewhere").map(({ record }) => readAttempt(record)),
      offered: judges_products ? offeredOf(products) : null,
      message_seen: yield* isNoted(partition, message),
      stock: new Map(
        rowsOf("stock").map(({ id, record }) => [id ?? "", readCount(fromJson<CountRow>(record))]),
      ),
    };
  };
}
