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
import { paymentInsert, paymentUpdate, paymentValues } from "./row-statements.ts";

type Money = Pick<OrderSnapshot, "attempts" | "payments" | "elsewhere">;

interface MoneyRow {
  readonly kind: "payment" | "attempt" | "elsewhere";
  readonly record: string;
}

/**
 * Reads the attempts of an order and their money, and the attempts of other orders
 * that carry the named reference. Without an order and a reference it reads nothing.
 */
export type ReadMoney = (
  partition: Partition,
  order: OrderRecord | null,
  reference: string | null,
) => QueryGenerator<Money>;

export const noMoney: Money = { attempts: [], payments: [], elsewhere: [] };

export function moneyInOneStatement(engine: SqlEngine): ReadMoney {
  const findOfOrder = prepareRaw<MoneyRow>(engine.db, (param) => moneyOfOrder(param));
  const findNamed = prepareRaw<MoneyRow>(engine.db, (param) => namedMoney(engine, param));

  return function* moneyOf(partition, order, reference) {
    if (order === null && reference === null) return noMoney;

    const values = { ...partitionColumns(partition), order_id: order?.id ?? "", reference };
    const rows = yield* many(reference === null ? findOfOrder(values) : findNamed(values));
    const recordsOf = (kind: MoneyRow["kind"]): readonly string[] =>
      rows.filter((row) => row.kind === kind).map(({ record }) => record);
    return {
      attempts: recordsOf("attempt").map(readAttempt).sort(byCreation),
      payments: recordsOf("payment").map(readPayment).sort(byCreation),
      elsewhere: recordsOf("elsewhere").map(readAttempt),
    };
  };
}

const moneyOfOrder = (param: Param) => sql<MoneyRow>`
  select 'payment' as kind, p.record from ${sql.table("payments")} as p
  where p.store_id = ${param("store_id")} and p.livemode = ${param("livemode")}
    and p.order_id = ${param("order_id")}
  union all
  select 'attempt' as kind, a.record from ${sql.table("payment_attempts")} as a
  where a.store_id = ${param("store_id")} and a.livemode = ${param("livemode")}
    and a.order_id = ${param("order_id")}`;

function namedMoney({ dialect }: SqlEngine, param: Param) {
  const payments = sql.table("payments");
  const attempts = sql.table("payment_attempts");
  const store = sql`store_id = ${param("store_id")} and livemode = ${param("livemode")}`;
  const inStore = sql`${dialect.withoutIndex("store_id")} = ${param("store_id")}
    and ${dialect.withoutIndex("livemode")} = ${param("livemode")}`;
  const reference = param("reference");

  return sql<MoneyRow>`
    ${moneyOfOrder(param)}
    union all
    select 'elsewhere' as kind, record from ${attempts}
    where ${store} and order_id <> ${param("order_id")} and id in (
      select id from ${attempts} where ${inStore} and reference = ${reference}
      union select id from ${attempts} where ${inStore} and payment_reference = ${reference}
      union select attempt_id from ${payments}
        where ${inStore} and payment_reference = ${reference})`;
}

interface PaymentWriter {
  /** Writes money, whether it is there already or not. */
  put(payment: PaymentRecord): QueryGenerator<void>;
  /**
   * Writes money that is there already. Its key is unique: when another step has written
   * the same money meanwhile, this one begins again and reads it.
   */
  update(payment: PaymentRecord): QueryGenerator<void>;
}

export function paymentWriter({ db }: SqlEngine): PaymentWriter {
  const insertPayment = prepare((param) => paymentInsert(db, param));
  const updatePayment = prepare((param) => paymentUpdate(db, param));

  function* update(payment: PaymentRecord): QueryGenerator<void> {
    if (!(yield* changed(updatePayment(paymentValues(payment)))))
      throw new GuardFailed("The same money was written for another order.");
  }
  function* put(payment: PaymentRecord): QueryGenerator<void> {
    if (!(yield* changed(insertPayment(paymentValues(payment))))) yield* update(payment);
  }
  return { put, update };
}
