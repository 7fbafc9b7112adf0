import { type Answer, couponKey, type Decision, type OrderChanges, type Snapshot, sums } from "../../../src/payments/order-parts.ts";
import type { BuyerFacts } from "../../../src/storage/order-store.ts";
import type { AttemptRecord, OrderRecord, Partition, SessionRecord } from "../../../src/storage/records.ts";
import { renderEvent } from "../../../src/webhooks/render-event.ts";
import { insertAlert } from "./access.ts";
import { adjustCoupon, adjustStock, lockCoupon, lockStock } from "./catalog-stock.ts";
import type { SqlEngine } from "./engine.ts";
import { insertEvents, numberTaker } from "./events.ts";
import { fromJson, own } from "./json.ts";
import { many, one, type Step } from "./step.ts";

/** Whom a step is about: the session, and the buyer when one speaks. */
export interface Subject extends Partition {
  readonly session_id: string | null;
  readonly buyer: BuyerFacts | null;
  readonly new_customer: string;
}

/** Lock, decide, write: one transaction. */
export function orderSteps(engine: SqlEngine) {
  const takeNumbers = numberTaker(engine);

  function* write(partition: Partition, { order: before, on_hand, coupon }: Snapshot, changes: OrderChanges): Step<OrderRecord> {
    yield* adjustStock(engine, partition, changes.stock, on_hand);
    if (changes.coupon) yield* adjustCoupon(engine, partition, changes.coupon, coupon?.max_uses ?? null);
    const isNew = changes.order.number === 0;
    const { order_number, first_sequence } =
      isNew || changes.events.length > 0
        ? yield* takeNumbers(partition, { orders: isNew ? 1 : 0, events: changes.events.length })
        : { order_number: 0, first_sequence: 0 };
    const order = isNew ? { ...changes.order, number: order_number } : changes.order;
    if (changes.session) yield* updateSession(engine, changes.session);
    yield* putOrder(engine, order, before);
    for (const attempt of changes.attempts) yield* putAttempt(engine, attempt);
    for (const alert of changes.alerts) yield* insertAlert(engine.db, alert, 0);
    const events = changes.events.map((draft, index) => renderEvent(partition, draft, order.number, first_sequence + index));
    yield* insertEvents(engine, partition, events);
    return order;
  }

  return <O extends string>(subject: Subject, decide: (snapshot: Snapshot) => Decision<O>): Promise<Answer<O>> =>
    engine.write(function* (): Step<Answer<O>> {
      const snapshot = yield* load(engine, subject);
      const { changes, ...answer } = decide(snapshot);
      return changes ? { ...answer, order: yield* write(subject, snapshot, changes) } : answer;
    });
}

/** The locks of CONTRACT 6, in its order: session, order, products by id, coupon, coupon use. Attempts are locked by their order. */
function* load(engine: SqlEngine, subject: Subject): Step<Snapshot> {
  const { db, dialect } = engine;
  const { store_id, livemode } = own(subject);
  const row = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("checkout_sessions")
        .select("record")
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", subject.session_id ?? ""),
    ),
  );
  if (!row) return { session: null, order: null, attempts: [], on_hand: new Map(), coupon: null };
  const session = fromJson<SessionRecord>(row.record);
  const found = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("orders")
        .select("record")
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("session_id", "=", session.id),
    ),
  );
  const order = found ? fromJson<OrderRecord>(found.record) : null;
  const attempts = order ? yield* attemptsOf(engine, order) : [];
  const products = sums(session).map(([product_id]) => product_id);
  const on_hand = yield* lockStock(engine, subject, products);
  const customer_key = couponKey(session, order, subject.buyer, subject.new_customer);
  const coupon = session.coupon_id === null ? null : yield* lockCoupon(engine, subject, session.coupon_id, customer_key);
  return { session, order, attempts, on_hand, coupon: coupon && { ...coupon, customer_key } };
}

function* attemptsOf({ db }: SqlEngine, order: OrderRecord): Step<readonly AttemptRecord[]> {
  const { store_id, livemode } = own(order);
  const rows = yield* many(
    db
      .selectFrom("payment_attempts")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("order_id", "=", order.id)
      .orderBy("created_at")
      .orderBy("id"),
  );
  return rows.map((row) => fromJson<AttemptRecord>(row.record));
}

function* updateSession({ db }: SqlEngine, session: SessionRecord): Step<void> {
  const { store_id, livemode } = own(session);
  yield* many(
    db
      .updateTable("checkout_sessions")
      .set({ status: session.status, record: JSON.stringify(session) })
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
  const { order_id, session_id, gateway, reference, state, created_at } = attempt;
  const row = { order_id, session_id, gateway, reference, state, created_at, record: JSON.stringify(attempt) };
  yield* many(
    db
      .insertInto("payment_attempts")
      .values({ ...own(attempt), id: attempt.id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}
