import { sql } from "kysely";
import { couponCustomerKey } from "#core/rules/orders/order-customer.ts";
import {
  emptySnapshot,
  type OrderSnapshot,
  type SnapshotCoupon,
} from "#core/rules/orders/order-snapshot.ts";
import { maxNotes } from "#core/rules/orders/order-terms.ts";
import type { AttemptRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt, readDispute, readRefund } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, SessionRecord } from "#core/rules/records.ts";
import { trialCoupon } from "#core/rules/subscriptions/trial.ts";
import type { OrderSubject, SessionSubject } from "#core/storage/step-store.ts";
import { findCoupon, lockCoupon } from "../../catalog/stock/coupon-counters.ts";
import { prepareStockLock } from "../../catalog/stock/stock.ts";
import { lockKeyRow } from "../../checkout/keys.ts";
import { findOpenHolds } from "../../checkout/open-holds.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, prepare, type QueryGenerator } from "../../engine/queries.ts";
import { orderAlgorithms } from "../algorithms.ts";
import { listNotes } from "../notes.ts";
import { productsOf } from "./lock-checkout.ts";
import { lockSubscription } from "./lock-subscription.ts";
import { orderLock, orderOfSessionLock, recordsBy, sessionLock } from "./locks.ts";

// Locks are taken in one order, so that steps never wait for each other in a circle: session,
// order, products by id, coupon, coupon use. The order's lock covers its attempts, refunds and
// disputes.

/** Loads the session with its order, and the stock and coupon that a payment may take. */
export function sessionLoader(engine: SqlEngine) {
  const lockCheckout = orderAlgorithms(engine).lockCheckout(engine);
  const lockStock = prepareStockLock(engine);

  return function* loadBySession(subject: SessionSubject): QueryGenerator<OrderSnapshot> {
    const { session_id, reference = null, message = null, judges_products = false } = subject;
    if (session_id === null) return emptySnapshot;

    const asked = { reference, message, judges_products };
    const locked = yield* lockCheckout(subject, session_id, asked);
    if (!locked) return emptySnapshot;

    const { session, order } = locked;
    const { goods_of: goods = session, key: scope } = subject;
    const { renews } = session;
    const subscription = renews
      ? yield* lockSubscription(engine, subject, renews.subscription_id)
      : null;
    const key = scope ? yield* lockKeyRow(engine, scope) : null;
    const more = productsOf(goods).filter((id) => !productsOf(session).includes(id));
    const stock =
      more.length > 0
        ? new Map([...locked.stock, ...(yield* lockStock(session, more))])
        : locked.stock;
    const coupon = yield* lockCouponOf(engine, goods, order, subject);
    const { address } = subject;
    const open_holds = address ? yield* findOpenHolds(engine, session, address) : 0;
    return { ...emptySnapshot, ...locked, subscription, stock, coupon, open_holds, key };
  };
}

/**
 * Loads the order with its session. `history` has its refunds and disputes, `all`
 * the notes too, `goods` has stock and coupon.
 */
export function orderLoader(engine: SqlEngine) {
  const findSessionId = prepare((param) =>
    recordsBy(engine, "orders", "id", param).clearSelect().select("session_id"),
  );
  const lockSession = sessionLock(engine);
  const lockOrderOfSession = orderOfSessionLock(engine);
  const lockOrderById = orderLock(engine);
  const moneyOf = orderAlgorithms(engine).readMoney(engine);
  const lockStock = prepareStockLock(engine);
  const historyOf = historyReader(engine);

  return function* loadByOrder(subject: OrderSubject): QueryGenerator<OrderSnapshot> {
    const { order_id, needs, message = null } = subject;
    // An order never changes its session, so this read may come before the locks.
    const row = yield* one(findSessionId({ ...partitionColumns(subject), key: order_id }));
    const session_id = row?.session_id ?? null;
    const session = session_id === null ? null : yield* lockSession(subject, session_id);
    const order = session
      ? yield* lockOrderOfSession(subject, session.id)
      : yield* lockOrderById(subject, order_id);
    const money = yield* moneyOf(subject, order, { reference: null, message });

    const found = { ...emptySnapshot, session, order, ...money };
    if (needs !== "goods") {
      if (!order) return found;
      const page = { ...subject, order_id, after: null, limit: maxNotes };
      const notes = needs === "all" ? yield* listNotes(engine, page) : [];
      return { ...found, ...(yield* historyOf(order)), notes };
    }
    if (!session) return found;

    const stock = yield* lockStock(session, productsOf(session));
    const coupon = yield* lockCouponOf(engine, session, order, {});
    return { ...found, stock, coupon };
  };
}

/** Reads an order's attempts, the oldest first. */
export function attemptReader(engine: SqlEngine) {
  const find = prepare((param) =>
    recordsBy(engine, "payment_attempts", "order_id", param)
      .orderBy(sql.ref("created_at"))
      .orderBy("id"),
  );

  return function* attemptsOf(order: OrderRecord): QueryGenerator<readonly AttemptRecord[]> {
    const rows = yield* many(find({ ...partitionColumns(order), key: order.id }));
    return rows.map((row) => readAttempt(row.record));
  };
}

function historyReader(engine: SqlEngine) {
  const findRefunds = prepare((param) =>
    recordsBy(engine, "refunds", "order_id", param).orderBy(engine.dialect.withoutIndex("id")),
  );
  const findDisputes = prepare((param) =>
    recordsBy(engine, "disputes", "order_id", param).orderBy("id"),
  );

  return function* historyOf(
    order: OrderRecord,
  ): QueryGenerator<Pick<OrderSnapshot, "refunds" | "disputes">> {
    const values = { ...partitionColumns(order), key: order.id };
    const refunds = yield* many(findRefunds(values));
    const disputes = yield* many(findDisputes(values));
    return {
      refunds: refunds.map((row) => readRefund(row.record)),
      disputes: disputes.map((row) => readDispute(row.record)),
    };
  };
}

function* lockCouponOf(
  engine: SqlEngine,
  session: SessionRecord,
  order: OrderRecord | null,
  reads: Pick<SessionSubject, "buyer" | "new_customer_id">,
): QueryGenerator<SnapshotCoupon | null> {
  const { buyer = null, new_customer_id = "" } = reads;
  const { coupon_id } = session;
  if (coupon_id === null) return null;

  const coupon = trialCoupon(session) ?? (yield* findCoupon(engine, session, coupon_id));
  if (!coupon) return null;

  const customer_key = couponCustomerKey(session, order, buyer, new_customer_id);
  return { ...(yield* lockCoupon(engine, session, coupon, customer_key)), customer_key };
}
