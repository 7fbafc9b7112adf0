import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../../../src/rules/records.ts";
import { subscriptionEndsAt } from "../../../../src/rules/subscription-record.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, many, prepare, type QueryGenerator } from "../engine/queries.ts";
import { insertOrderStep } from "./insert-order.ts";
import { orderColumns, orderValues } from "./order-columns.ts";

// Each writer stores one record as JSON, with the columns that queries read beside it.

export function sessionWriter({ db }: SqlEngine) {
  const update = prepare((param) =>
    db
      .updateTable("checkout_sessions")
      .set({
        status: param<SessionRecord["status"]>("status"),
        expires_at: param<number>("expires_at"),
        sweep_at: param<number | null>("sweep_at"),
        record: param<string>("record"),
      })
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .where("id", "=", param<string>("id")),
  );

  return function* updateSession(session: SessionRecord): QueryGenerator<void> {
    const { id, status, expires_at, sweep_at = null } = session;
    const record = JSON.stringify(session);
    const columns = { status, expires_at, sweep_at, record };
    yield* many(update({ ...partitionColumns(session), id, ...columns }));
  };
}

export function orderWriter(engine: SqlEngine) {
  const insertOrder = insertOrderStep(engine);
  const update = prepare((param) =>
    engine.db
      .updateTable("orders")
      .set(orderColumns(param))
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .where("id", "=", param<string>("id"))
      .where("status", "=", param<OrderRecord["status"]>("status_before")),
  );

  return function* putOrder(order: OrderRecord, before: OrderRecord | null): QueryGenerator<void> {
    if (order === before) return;
    if (!before) return yield* insertOrder(order);

    // The update names the status that the step decided over: a row that moved ends the step.
    const query = update({ ...orderValues(order), status_before: before.status });
    if (!(yield* changed(query))) throw new Error("An order moved while it was locked.");
  };
}

export function attemptWriter({ db }: SqlEngine) {
  const put = prepare((param) => {
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
  });

  return function* putAttempt(attempt: AttemptRecord): QueryGenerator<void> {
    const record = JSON.stringify(attempt);
    yield* many(put({ ...attempt, ...partitionColumns(attempt), record }));
  };
}

export function* putRefund({ db }: SqlEngine, refund: RefundRecord): QueryGenerator<void> {
  const { id, order_id, reference, check_at } = refund;
  const row = { reference, check_at, record: JSON.stringify(refund) };
  yield* many(
    db
      .insertInto("refunds")
      .values({ ...partitionColumns(refund), order_id, id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}

export function* putDispute({ db }: SqlEngine, dispute: DisputeRecord): QueryGenerator<void> {
  const { id, order_id } = dispute;
  const row = { record: JSON.stringify(dispute) };
  yield* many(
    db
      .insertInto("disputes")
      .values({ ...partitionColumns(dispute), order_id, id, ...row })
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode", "order_id", "id"]).doUpdateSet(row),
      ),
  );
}

export function* putSubscription(
  { db }: SqlEngine,
  subscription: SubscriptionRecord,
): QueryGenerator<void> {
  const { id, status } = subscription;
  const row = {
    status,
    customer_id: subscription.customer.id,
    ends_at: subscriptionEndsAt(subscription),
    record: JSON.stringify(subscription),
  };
  yield* many(
    db
      .insertInto("subscriptions")
      .values({ ...partitionColumns(subscription), id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}
