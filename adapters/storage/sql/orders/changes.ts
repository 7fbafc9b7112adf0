import { changesOf, type OrderChanges } from "../../../../src/rules/order-parts.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../../../src/rules/payment-records.ts";
import type {
  AlertRecord,
  OrderRecord,
  Partition,
  SessionRecord,
} from "../../../../src/rules/records.ts";
import { renderParts } from "../../../../src/rules/render-event.ts";
import { insertAlert } from "../access/access.ts";
import { adjustCoupon, stockAdjuster } from "../catalog/stock.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { own } from "../engine/json.ts";
import { changed, many, type Place, prepare, type Step } from "../engine/step.ts";
import { insertEventsStep } from "../webhooks/events.ts";
import { takeNumbersStep } from "../webhooks/numbers.ts";

/** What was locked and decided over. */
interface Before {
  readonly order: OrderRecord | null;
  readonly on_hand: ReadonlyMap<string, number>;
  readonly max_uses: number | null;
}

/** Writes what a step decided: goods first, then the counters, then the rows (CONTRACT 6, lock order). Gives the order with its number. */
export function changeWriter(engine: SqlEngine) {
  const takeNumbers = takeNumbersStep(engine);
  const insertEvents = insertEventsStep(engine);
  const adjustStock = stockAdjuster(engine);
  const updateSession = sessionWriter(engine);
  const putOrder = orderWriter(engine);
  const putAttempt = attemptWriter(engine);
  return function* write(
    partition: Partition,
    before: Before,
    wanted: Partial<OrderChanges>,
  ): Step<OrderRecord | null> {
    const changes = { ...changesOf(wanted.order ?? null), ...wanted };
    yield* adjustStock(partition, changes.stock, before.on_hand);
    if (changes.coupon) yield* adjustCoupon(engine, partition, changes.coupon, before.max_uses);
    const isNew = changes.order?.number === 0;
    const taken = isNew
      ? yield* takeNumbers(partition, { orders: 1, events: changes.events.length })
      : null;
    const order =
      changes.order && taken ? { ...changes.order, number: taken.order_number } : changes.order;
    if (changes.session) yield* updateSession(changes.session);
    if (order) yield* putOrder(order, before.order);
    for (const attempt of changes.attempts) yield* putAttempt(attempt);
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

function sessionWriter({ db }: SqlEngine) {
  const update = prepare((place) =>
    db
      .updateTable("checkout_sessions")
      .set({
        status: place<SessionRecord["status"]>("status"),
        expires_at: place<number>("expires_at"),
        record: place<string>("record"),
      })
      .where("store_id", "=", place<string>("store_id"))
      .where("livemode", "=", place<0 | 1>("livemode"))
      .where("id", "=", place<string>("id")),
  );
  return function* updateSession(session: SessionRecord): Step<void> {
    const { id, status, expires_at } = session;
    yield* many(
      update({ ...own(session), id, status, expires_at, record: JSON.stringify(session) }),
    );
  };
}

function orderWriter({ db }: SqlEngine) {
  const columns = (place: Place) => ({
    number: place<number>("number"),
    status: place<OrderRecord["status"]>("status"),
    session_id: place<string | null>("session_id"),
    customer_id: place<string>("customer_id"),
    subscription_id: place<string | null>("subscription_id"),
    period_start: place<number | null>("period_start"),
    sweep_at: place<number | null>("sweep_at"),
    updated_at: place<number>("updated_at"),
    record: place<string>("record"),
  });
  const key = (place: Place) => ({
    store_id: place<string>("store_id"),
    livemode: place<0 | 1>("livemode"),
    id: place<string>("id"),
  });
  const insert = prepare((place) =>
    db.insertInto("orders").values({ ...key(place), ...columns(place) }),
  );
  const update = prepare((place) =>
    db
      .updateTable("orders")
      .set(columns(place))
      .where("store_id", "=", place<string>("store_id"))
      .where("livemode", "=", place<0 | 1>("livemode"))
      .where("id", "=", place<string>("id"))
      .where("status", "=", place<OrderRecord["status"]>("before")),
  );
  /** Guarded by the status that was decided over: a row that moved meanwhile ends the step. */
  return function* putOrder(order: OrderRecord, before: OrderRecord | null): Step<void> {
    if (order === before) return;
    const { id, number, status, session_id, subscription_id, period_start, sweep_at, updated_at } =
      order;
    const row = {
      id,
      number,
      status,
      session_id,
      subscription_id,
      period_start,
      sweep_at,
      updated_at,
    };
    const values = {
      ...own(order),
      ...row,
      customer_id: order.customer.id,
      record: JSON.stringify(order),
    };
    const written = yield* changed(
      before ? update({ ...values, before: before.status }) : insert(values),
    );
    if (!written) throw new Error("An order moved while it was locked.");
  };
}

function attemptWriter({ db }: SqlEngine) {
  const put = prepare((place) => {
    const row = {
      order_id: place<string>("order_id"),
      session_id: place<string | null>("session_id"),
      gateway: place<string>("gateway"),
      reference: place<string | null>("reference"),
      state: place<AttemptRecord["state"]>("state"),
      check_at: place<number | null>("check_at"),
      created_at: place<number>("created_at"),
      record: place<string>("record"),
    };
    return db
      .insertInto("payment_attempts")
      .values({
        store_id: place<string>("store_id"),
        livemode: place<0 | 1>("livemode"),
        id: place<string>("id"),
        ...row,
      })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row));
  });
  return function* putAttempt(attempt: AttemptRecord): Step<void> {
    const { id, order_id, session_id, gateway, reference, state, check_at, created_at } = attempt;
    const row = { id, order_id, session_id, gateway, reference, state, check_at, created_at };
    yield* many(put({ ...own(attempt), ...row, record: JSON.stringify(attempt) }));
  };
}

function* putRefund({ db }: SqlEngine, refund: RefundRecord): Step<void> {
  const row = {
    reference: refund.reference,
    check_at: refund.check_at,
    record: JSON.stringify(refund),
  };
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
      .onConflict((conflict) =>
        conflict.columns(["store_id", "livemode", "order_id", "id"]).doUpdateSet(row),
      ),
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
