import { sql } from "kysely";
import { byCreation } from "../../../../src/rules/order-money.ts";
import type { OrderSnapshot } from "../../../../src/rules/order-snapshot.ts";
import type { PaymentRecord } from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition } from "../../../../src/rules/records.ts";
import { readAttempt, readPayment } from "../../../../src/rules/stored-payments.ts";
import { GuardFailed } from "../catalog/guard-failed.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import {
  changed,
  many,
  type Param,
  prepare,
  prepareRaw,
  type QueryGenerator,
} from "../engine/queries.ts";

type Money = Pick<OrderSnapshot, "payments" | "elsewhere">;

interface MoneyRow {
  readonly kind: "payment" | "attempt";
  readonly record: string;
}

/**
 * Reads the money of an order, and the attempts of other orders that carry the
 * named reference. Without an order and a reference it reads nothing.
 */
export type ReadMoney = (
  partition: Partition,
  order: OrderRecord | null,
  reference: string | null,
) => QueryGenerator<Money>;

export function moneyInOneStatement(engine: SqlEngine): ReadMoney {
  const findOfOrder = prepareRaw<MoneyRow>(engine.db, (param) => moneyOfOrder(param));
  const findNamed = prepareRaw<MoneyRow>(engine.db, (param) => namedMoney(param));

  return function* moneyOf(partition, order, reference) {
    if (order === null && reference === null) return { payments: [], elsewhere: [] };

    const values = { ...partitionColumns(partition), order_id: order?.id ?? "", reference };
    const rows = yield* many(reference === null ? findOfOrder(values) : findNamed(values));
    const recordsOf = (kind: MoneyRow["kind"]): readonly string[] =>
      rows.filter((row) => row.kind === kind).map(({ record }) => record);
    return {
      payments: recordsOf("payment").map(readPayment).sort(byCreation),
      elsewhere: recordsOf("attempt").map(readAttempt),
    };
  };
}

const moneyOfOrder = (param: Param) => sql<MoneyRow>`
  select 'payment' as kind, p.record from ${sql.table("payments")} as p
  where p.store_id = ${param("store_id")} and p.livemode = ${param("livemode")}
    and p.order_id = ${param("order_id")}`;

function namedMoney(param: Param) {
  const payments = sql.table("payments");
  const attempts = sql.table("payment_attempts");
  const store = sql`store_id = ${param("store_id")} and livemode = ${param("livemode")}`;
  const reference = param("reference");

  return sql<MoneyRow>`
    ${moneyOfOrder(param)}
    union all
    select 'attempt' as kind, record from ${attempts}
    where ${store} and order_id <> ${param("order_id")} and id in (
      select id from ${attempts} where ${store} and reference = ${reference}
      union select id from ${attempts} where ${store} and payment_reference = ${reference}
      union select attempt_id from ${payments}
        where ${store} and payment_reference = ${reference})`;
}

/**
 * Writes money. Its key is unique: when another step has written the same money
 * meanwhile, this one begins again and reads it.
 */
export function paymentWriter({ db }: SqlEngine) {
  const insert = prepare((param) =>
    db
      .insertInto("payments")
      .values({
        store_id: param<string>("store_id"),
        livemode: param<0 | 1>("livemode"),
        gateway: param<string>("gateway"),
        account: param<string>("account"),
        payment_reference: param<string>("payment_reference"),
        id: param<string>("id"),
        attempt_id: param<string>("attempt_id"),
        order_id: param<string>("order_id"),
        check_at: param<number | null>("check_at"),
        record: param<string>("record"),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const update = prepare((param) =>
    db
      .updateTable("payments")
      .set({
        payment_reference: param<string>("payment_reference"),
        check_at: param<number | null>("check_at"),
        record: param<string>("record"),
      })
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .where("id", "=", param<string>("id")),
  );

  return function* putPayment(payment: PaymentRecord): QueryGenerator<void> {
    const { id, gateway, account, payment_reference, attempt_id, order_id, check_at } = payment;
    const values = {
      ...partitionColumns(payment),
      id,
      gateway,
      account: account ?? "",
      payment_reference,
      attempt_id,
      order_id,
      check_at,
      record: JSON.stringify(payment),
    };
    if (yield* changed(insert(values))) return;
    if (!(yield* changed(update(values))))
      throw new GuardFailed("The same money was written for another order.");
  };
}
