import { byCreation } from "../../../../src/rules/order-money.ts";
import { readAttempt, readPayment } from "../../../../src/rules/stored-payments.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareEach } from "../engine/queries.ts";
import type { ReadMoney } from "./payments.ts";

/**
 * Asks each table by itself. Citus sends a statement that reads one table to the
 * store's shard without planning it; one that reads two costs it four times as much.
 */
export function moneyOnCitus({ db }: SqlEngine): ReadMoney {
  const findPayments = prepareEach(
    (isNamed: boolean) => String(isNamed),
    (isNamed, param) =>
      db
        .selectFrom("payments")
        .select(["order_id", "attempt_id", "payment_reference", "record"])
        .where("store_id", "=", param<string>("store_id"))
        .where("livemode", "=", param<0 | 1>("livemode"))
        .where((eb) => {
          const isOfOrder = eb("order_id", "=", param<string>("order_id"));
          if (!isNamed) return isOfOrder;
          return eb.or([isOfOrder, eb("payment_reference", "=", param<string>("reference"))]);
        }),
  );
  const findElsewhere = prepareEach(
    (count: number) => count,
    (count, param) =>
      db
        .selectFrom("payment_attempts")
        .select("record")
        .where("store_id", "=", param<string>("store_id"))
        .where("livemode", "=", param<0 | 1>("livemode"))
        .where("order_id", "<>", param<string>("order_id"))
        .where((eb) =>
          eb.or([
            eb("reference", "=", param<string>("reference")),
            eb("payment_reference", "=", param<string>("reference")),
            ...Array.from({ length: count }, (_, index) =>
              eb("id", "=", param<string>(`a${index}`)),
            ),
          ]),
        ),
  );

  return function* moneyOf(partition, order, reference) {
    if (order === null && reference === null) return { payments: [], elsewhere: [] };

    const values = { ...partitionColumns(partition), order_id: order?.id ?? "", reference };
    const rows = yield* many(findPayments(reference !== null, values));
    const payments = rows
      .filter(({ order_id }) => order_id === values.order_id)
      .map(({ record }) => readPayment(record))
      .sort(byCreation);
    if (reference === null) return { payments, elsewhere: [] };

    const named = rows.filter((row) => row.payment_reference === reference);
    const ids = [...new Set(named.map(({ attempt_id }) => attempt_id))];
    const byId = Object.fromEntries(ids.map((id, index) => [`a${index}`, id]));
    const elsewhere = yield* many(findElsewhere(ids.length, { ...values, ...byId }));
    return { payments, elsewhere: elsewhere.map(({ record }) => readAttempt(record)) };
  };
}
