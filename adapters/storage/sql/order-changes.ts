import { changesOf, type OrderChanges } from "../../../src/payments/order-parts.ts";
import type { AttemptRecord, DisputeRecord, RefundRecord, SubscriptionRecord } from "../../../src/storage/payment-records.ts";
import type { AlertRecord, OrderRecord, Partition, SessionRecord } from "../../../src/storage/records.ts";
import { renderParts } from "../../../src/webhooks/render-event.ts";
import { insertAlert } from "./access.ts";
import { adjustCoupon, adjustStock } from "./catalog-stock.ts";
import type { SqlEngine } from "./engine.ts";
import { eventWriter, numberTaker } from "./events.ts";
import { own } from "./json.ts";
import { many, one, type Step } from "./step.ts";

/** What was locked and decided over. */
interface Before {
  readonly order: OrderRecord | null;
  readonly on_hand: ReadonlyMap<string, number>;
  readonly max_uses: number | null;
}

/** Writes what a step decided: goods first, then the counters, then the rows (CONTRACT 6, lock order). Gives the order with its number. */
export function changeWriter(engine: SqlEngine) {
  const takeNumbers = numberTaker(engine);
  const insertEvents = eventWriter(engine);
  return function* write(partition: Partition, before: Before, wanted: Partial<OrderChanges>): Step<OrderRecord | null> {
    const changes = { ...changesOf(wanted.order ?? null), ...wanted };
    yield* adjustStock(engine, partition, changes.stock, before.on_hand);
    if (changes.coupon) yield* adjustCoupon(engine, partition, changes.coupon, before.max_uses);
    const isNew = changes.order?.number === 0;
    const taken = isNew ? yield* takeNumbers(partition, { orders: 1, events: changes.events.length }) : null;
    const order = changes.order && taken ? { ...changes.order, number: taken.order_number } : changes.order;
    if (changes.session) yield* updateSession(engine, changes.session);
    if (order) yield* putOrder(engine, order, before.order);
    for (const attempt of changes.attempts) yield* putAttempt(engine, attempt);
    for (const refund of changes.refunds) yield* putRefund(engine, refund);
    for (const dispute of changes.disputes) yield* putDispute(engine, dispute);
    if (changes.subscription) yield* putSubscription(engine, changes.subscription);
    for (const alert of changes.alerts) yield* raiseAlert(engine, alert);
    const events = changes.events.map((draft) => renderParts(partition, draft, order?.number ?? 0));
    yield* insertEvents(partition, events, taken?.first_sequence ?? null);
    return order;
  };
}

/** Stored, and to be told to the host until its callback returns. */
function* raiseAlert({ db }: SqlEngine, alert: AlertRecord): Step<void> {
  if (!(yield* insertAlert(db, alert, 0))) return;
  const notice = { ...own(alert), alert_id: alert.id, due_at: alert.created_at };
  yield* many(
    db
      .insertInto("alert_notices")
      .values(notice)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

function* updateSession({ db }: SqlEngine, session: SessionRecord): Step<void> {
  const { store_id, livemode } = own(session);
  yield* many(
    db
      .updateTable("checkout_sessions")
      .set({ status: session.status, expires_at: session.expires_at, record: JSON.stringify(session) })
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", session.id),
  );
}

/** Guarded by the status that was decided over: a row that moved meanwhile ends the step. */
function* putOrder({ db }: SqlEngine, order: OrderRecord, before: OrderRecord | null): Step<void> {
  if (order === before) return;
  const { store_id, livemode } = own(order);
  const row = {
    number: order.number,
    status: order.status,
    session_id: order.session_id,
    customer_id: order.customer.id,
    subscription_id: order.subscription_id,
    period_start: order.period_start,
    sweep_at: order.sweep_at,
    updated_at: order.updated_at,
    record: JSON.stringify(order),
  };
  if (!before) {
    yield* many(db.insertInto("orders").values({ store_id, livemode, id: order.id, ...row }));
    return;
  }
  const updated = yield* one(
    db
      .updateTable("orders")
      .set(row)
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", order.id)
      .where("status", "=", before.status)
      .returning("id"),
  );
  if (!updated) throw new Error("An order moved while it was locked.");
}

function* putAttempt({ db }: SqlEngine, attempt: AttemptRecord): Step<void> {
  const { order_id, session_id, gateway, reference, state, check_at, created_at } = attempt;
  const row = { order_id, session_id, gateway, reference, state, check_at, created_at, record: JSON.stringify(attempt) };
  yield* many(
    db
      .insertInto("payment_attempts")
      .values({ ...own(attempt), id: attempt.id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}

function* putRefund({ db }: SqlEngine, refund: RefundRecord): Step<void> {
  const row = { reference: refund.reference, check_at: refund.check_at, record: JSON.stringify(refund) };
  yield* many(
    db
      .insertInto("refunds")
      .values({ ...own(refund), order_id: refund.order_id, id: refund.id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}

function* putDispute({ db }: SqlEngine, dispute: DisputeRecord): Step<void> {
  const row = { record: JSON.stringify(dispute) };
  yield* many(
    db
      .insertInto("disputes")
      .values({ ...own(dispute), order_id: dispute.order_id, id: dispute.id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "order_id", "id"]).doUpdateSet(row)),
  );
}

function* putSubscription({ db }: SqlEngine, subscription: SubscriptionRecord): Step<void> {
  const ends = subscription.cancel_at_period_end && subscription.status !== "canceled";
  const row = {
    status: subscription.status,
    customer_id: subscription.customer.id,
    ends_at: ends ? subscription.current_period_end : null,
    record: JSON.stringify(subscription),
  };
  yield* many(
    db
      .insertInto("subscriptions")
      .values({ ...own(subscription), id: subscription.id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}
