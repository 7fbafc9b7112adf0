import { attemptDueAt, dueAt } from "#core/rules/clock/due-times.ts";
import type { AttemptRecord, PaymentRecord } from "#core/rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "#core/rules/records.ts";
import { ofPartitionParams, partitionColumns } from "../../engine/columns.ts";
import type { Db } from "../../engine/engine.ts";
import type { Param } from "../../engine/queries.ts";
import { orderColumns } from "./order-columns.ts";

// These statements write one row of a step, with their values. A row is a record as
// JSON and the columns that queries read beside it.

export const sessionUpdate = (db: Db, param: Param) =>
  db
    .updateTable("checkout_sessions")
    .set({
      status: param<SessionRecord["status"]>("status"),
      expires_at: param<number>("expires_at"),
      sweep_at: param<number | null>("sweep_at"),
      record: param<string>("record"),
    })
    .where(ofPartitionParams(param))
    .where("id", "=", param<string>("id"));

export function sessionValues(session: SessionRecord, offset: number) {
  const { id, status, expires_at } = session;
  const sweep_at = dueAt(session.sweep_at, offset);
  const record = JSON.stringify(session);
  return { ...partitionColumns(session), id, status, expires_at, sweep_at, record };
}

/** Names the status that the step decided over, so that it writes no row that has moved. */
export const orderUpdate = (db: Db, param: Param) =>
  db
    .updateTable("orders")
    .set(orderColumns(param))
    .where(ofPartitionParams(param))
    .where("id", "=", param<string>("id"))
    .where("status", "=", param<OrderRecord["status"]>("status_before"));

export function attemptUpsert(db: Db, param: Param) {
  const row = {
    order_id: param<string>("order_id"),
    session_id: param<string | null>("session_id"),
    gateway: param<string>("gateway"),
    account: param<string | null>("account"),
    reference: param<string | null>("reference"),
    payment_reference: param<string | null>("payment_reference"),
    state: param<AttemptRecord["state"]>("state"),
    check_at: param<number | null>("check_at"),
    created_at: param<number>("created_at"),
    record: param<string>("record"),
  };
  return db
    .insertInto("payment_attempts")
    .values({
      store_id: param<string>("store_id"),
      livemode: param<0 | 1>("livemode"),
      id: param<string>("id"),
      ...row,
    })
    .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row));
}

export const attemptValues = (attempt: AttemptRecord, offset: number) => ({
  ...partitionColumns(attempt),
  id: attempt.id,
  order_id: attempt.order_id,
  session_id: attempt.session_id,
  gateway: attempt.gateway,
  account: attempt.account,
  reference: attempt.reference,
  payment_reference: attempt.payment_reference,
  state: attempt.state,
  check_at: attemptDueAt(attempt, offset),
  created_at: attempt.created_at,
  record: JSON.stringify(attempt),
});

export const paymentInsert = (db: Db, param: Param) =>
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
    .onConflict((conflict) => conflict.doNothing());

export const paymentUpdate = (db: Db, param: Param) =>
  db
    .updateTable("payments")
    .set({
      payment_reference: param<string>("payment_reference"),
      check_at: param<number | null>("check_at"),
      record: param<string>("record"),
    })
    .where(ofPartitionParams(param))
    .where("id", "=", param<string>("id"));

export const paymentValues = (payment: PaymentRecord, offset: number) => ({
  ...partitionColumns(payment),
  id: payment.id,
  gateway: payment.gateway,
  account: payment.account ?? "",
  payment_reference: payment.payment_reference,
  attempt_id: payment.attempt_id,
  order_id: payment.order_id,
  check_at: dueAt(payment.check_at, offset),
  record: JSON.stringify(payment),
});
