import { sql } from "kysely";
import type { NotedMessage } from "#core/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "#core/rules/orders/order-snapshot.ts";
import { byCreation } from "#core/rules/payments/order-money.ts";
import type { PaymentRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt, readPayment } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, Partition } from "#core/rules/records.ts";
import { GuardFailed } from "../catalog/stock/guard-failed.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import {
  changed,
  many,
  type Param,
  prepare,
  prepareEach,
  type QueryGenerator,
} from "../engine/queries.ts";
import { paymentInsert, paymentUpdate, paymentValues } from "./write/row-statements.ts";

type Money = Pick<OrderSnapshot, "attempts" | "payments" | "elsewhere" | "message_seen">;

interface MoneyRow {
  readonly kind: "payment" | "attempt" | "elsewhere" | "message";
  readonly record: string;
}

/** A step names these: the reference of its money, and the message that brings it. */
export interface NamedByStep {
  readonly reference: string | null;
  readonly message: NotedMessage | null;
}

/**
 * Reads the attempts of an order and their money, the attempts of other orders that
 * carry the named reference, and whether the message was noted before. Without an
 * order and a reference it reads nothing. The order is locked before: a step that
 * noted the message for this order has ended, and this statement sees what it wrote.
 */
export type ReadMoney = (
  partition: Partition,
  order: OrderRecord | null,
  named: NamedByStep,
) => QueryGenerator<Money>;

export const noMoney: Money = { attempts: [], payments: [], elsewhere: [], message_seen: false };

export function moneyInOneStatement(engine: SqlEngine): ReadMoney {
  const find = prepareEach(
    ({ reference, message }: NamedByStep) => `${reference !== null} ${message !== null}`,
    (named, param) => ({ compile: () => money(engine, named, param).compile(engine.db) }),
  );

  return function* moneyOf(partition, order, named) {
    const { reference, message } = named;
    if (order === null && reference === null) return noMoney;

    const values = { ...partitionColumns(partition), order_id: order?.id ?? "", reference };
    const rows = yield* many(find(named, { ...values, ...message }));
    const recordsOf = (kind: MoneyRow["kind"]): readonly string[] =>
      rows.filter((row) => row.kind === kind).map(({ record }) => record);
    return {
      attempts: recordsOf("attempt").map(readAttempt).sort(byCreation),
      payments: recordsOf("payment").map(readPayment).sort(byCreation),
      elsewhere: recordsOf("elsewhere").map(readAttempt),
      message_seen: rows.some(({ kind }) => kind === "message"),
    };
  };
}

const money = (
  engine: SqlEngine,
  { reference, message }: NamedByStep,
  param: Param,
) => sql<MoneyRow>`
  ${moneyOfOrder(param)}
  ${reference === null ? nothing : elsewhere(engine, param)}
  ${message === null ? nothing : notedMessage(param)}`;

const nothing = sql``;

const moneyOfOrder = (param: Param) => sql<MoneyRow>`
  select 'payment' as kind, p.record from ${sql.table("payments")} as p
  where p.store_id = ${param("store_id")} and p.livemode = ${param("livemode")}
    and p.order_id = ${param("order_id")}
  union all
  select 'attempt' as kind, a.record from ${sql.table("payment_attempts")} as a
  where a.store_id = ${param("store_id")} and a.livemode = ${param("livemode")}
    and a.order_id = ${param("order_id")}`;

const notedMessage = (param: Param) => sql`
  union all
  select 'message' as kind, '' as record from ${sql.table("gateway_notifications")}
  where store_id = ${param("store_id")} and livemode = ${param("livemode")}
    and gateway = ${param("gateway")} and notification_id = ${param("notification_id")}`;

function elsewhere({ dialect }: SqlEngine, param: Param) {
  const payments = sql.table("payments");
  const attempts = sql.table("payment_attempts");
  const store = sql`store_id = ${param("store_id")} and livemode = ${param("livemode")}`;
  const inStore = sql`${dialect.withoutIndex("store_id")} = ${param("store_id")}
    and ${dialect.withoutIndex("livemode")} = ${param("livemode")}`;
  const reference = param("reference");

  return sql`
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
  put(payment: PaymentRecord, offset: number): QueryGenerator<void>;
  /**
   * Writes money that is there already. Its key is unique: when another step has written
   * the same money meanwhile, this one begins again and reads it.
   */
  update(payment: PaymentRecord, offset: number): QueryGenerator<void>;
}

export function paymentWriter({ db }: SqlEngine): PaymentWriter {
  const insertPayment = prepare((param) => paymentInsert(db, param));
  const updatePayment = prepare((param) => paymentUpdate(db, param));

  function* update(payment: PaymentRecord, offset: number): QueryGenerator<void> {
    if (!(yield* changed(updatePayment(paymentValues(payment, offset)))))
      throw new GuardFailed("The same money was written for another order.");
  }
  function* put(payment: PaymentRecord, offset: number): QueryGenerator<void> {
    const values = paymentValues(payment, offset);
    if (!(yield* changed(insertPayment(values)))) yield* update(payment, offset);
  }
  return { put, update };
}
