import { sql } from "kysely";
import type { BuyerFacts } from "../../../../src/rules/order-commands.ts";
import { couponCustomerKey } from "../../../../src/rules/order-customer.ts";
import { quantityByProduct } from "../../../../src/rules/order-goods.ts";
import {
  emptySnapshot,
  type OrderSnapshot,
  type SnapshotCoupon,
} from "../../../../src/rules/order-snapshot.ts";
import type { AttemptRecord } from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../../../src/rules/records.ts";
import { readAttempt, readDispute, readRefund } from "../../../../src/rules/stored-payments.ts";
import { lockCoupon } from "../catalog/coupon-counters.ts";
import { prepareOffers } from "../catalog/offers.ts";
import { prepareStockLock } from "../catalog/stock.ts";
import { findOpenHolds } from "../checkout/open-holds.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type Param, prepare, type QueryGenerator } from "../engine/queries.ts";
import { moneyReader } from "./money.ts";

/** What the step tells: who pays, the reference of the money, and the address of a hold. */
export interface Told {
  readonly buyer: BuyerFacts | null;
  readonly new_customer_id: string;
  readonly reference: string | null;
  readonly address?: string | null;
  /** True: the step refuses products of our tables that cannot be bought any more. */
  readonly judges_products?: boolean;
}

const toldNothing: Told = { buyer: null, new_customer_id: "", reference: null };

// Locks are taken in one order, so that steps never wait for each other in a circle: session,
// order, products by id, coupon, coupon use. The order's lock covers its attempts, refunds and
// disputes.

/** The session with its order, and the stock and coupon that a payment may take. */
export function sessionLoader(engine: SqlEngine) {
  const lockSession = sessionLock(engine);
  const lockOrder = orderOfSessionLock(engine);
  const attemptsOf = attemptReader(engine);
  const moneyOf = moneyReader(engine);
  const lockGoods = goodsLock(engine);
  const findOffered = prepareOffers(engine);

  return function* loadBySession(
    partition: Partition,
    session_id: string | null,
    told: Told = toldNothing,
  ): QueryGenerator<OrderSnapshot> {
    const session = session_id === null ? null : yield* lockSession(partition, session_id);
    if (!session) return emptySnapshot;

    const order = yield* lockOrder(partition, session.id);
    const attempts = order ? yield* attemptsOf(order) : [];
    const money = yield* moneyOf(session, order, told.reference);
    const offered = told.judges_products ? yield* findOffered(session) : null;
    const goods = yield* lockGoods(session, order, told);
    const open_holds = told.address ? yield* findOpenHolds(engine, session, told.address) : 0;
    const found = { ...emptySnapshot, session, order, attempts, offered, open_holds };
    return { ...found, ...money, ...goods };
  };
}

/**
 * The order with its session. `history` has its refunds and disputes, `goods` stock
 * and coupon.
 */
export function orderLoader(engine: SqlEngine) {
  const findSessionId = prepare((param) =>
    recordsBy(engine, "orders", "id", param).clearSelect().select("session_id"),
  );
  const lockSession = sessionLock(engine);
  const lockOrderOfSession = orderOfSessionLock(engine);
  const lockOrderById = orderLock(engine);
  const attemptsOf = attemptReader(engine);
  const moneyOf = moneyReader(engine);
  const lockGoods = goodsLock(engine);
  const historyOf = historyReader(engine);

  return function* loadByOrder(
    partition: Partition,
    order_id: string,
    needs: "goods" | "history",
  ): QueryGenerator<OrderSnapshot> {
    // An order never changes its session, so this read may come before the locks.
    const row = yield* one(findSessionId({ ...partitionColumns(partition), key: order_id }));
    const session_id = row?.session_id ?? null;
    const session = session_id === null ? null : yield* lockSession(partition, session_id);
    const order = session
      ? yield* lockOrderOfSession(partition, session.id)
      : yield* lockOrderById(partition, order_id);
    const attempts = order ? yield* attemptsOf(order) : [];
    const money = order ? yield* moneyOf(order, order, null) : {};

    const found = { ...emptySnapshot, session, order, attempts, ...money };
    if (needs === "history") return order ? { ...found, ...(yield* historyOf(order)) } : found;
    return session ? { ...found, ...(yield* lockGoods(session, order, toldNothing)) } : found;
  };
}

/** An order's attempts, the oldest first. */
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
    recordsBy(engine, "refunds", "order_id", param).orderBy("id"),
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

/** Locks what a payment may take: the stock of the session's products, and its coupon. */
function goodsLock(engine: SqlEngine) {
  const lockStock = prepareStockLock(engine);

  return function* lockGoods(
    session: SessionRecord,
    order: OrderRecord | null,
    { buyer, new_customer_id }: Told,
  ): QueryGenerator<Pick<OrderSnapshot, "stock" | "coupon">> {
    const product_ids = quantityByProduct(session).map(([product_id]) => product_id);
    const stock = yield* lockStock(session, product_ids);
    const { coupon_id } = session;
    if (coupon_id === null) return { stock, coupon: null };

    const customer_key = couponCustomerKey(session, order, buyer, new_customer_id);
    const locked = yield* lockCoupon(engine, session, coupon_id, customer_key);
    const coupon: SnapshotCoupon | null = locked && { ...locked, customer_key };
    return { stock, coupon };
  };
}

function sessionLock(engine: SqlEngine) {
  const { dialect } = engine;
  const lock = prepare((param) =>
    dialect.forUpdate(recordsBy(engine, "checkout_sessions", "id", param)),
  );

  return function* lockSession(
    partition: Partition,
    id: string,
  ): QueryGenerator<SessionRecord | null> {
    const row = yield* one(lock({ ...partitionColumns(partition), key: id }));
    return row ? fromJson<SessionRecord>(row.record) : null;
  };
}

const orderLock = (engine: SqlEngine) => orderLockBy(engine, "id");
const orderOfSessionLock = (engine: SqlEngine) => orderLockBy(engine, "session_id");

function orderLockBy(engine: SqlEngine, column: "id" | "session_id") {
  const { dialect } = engine;
  const lock = prepare((param) => dialect.forUpdate(recordsBy(engine, "orders", column, param)));

  return function* lockOrder(
    partition: Partition,
    key: string,
  ): QueryGenerator<OrderRecord | null> {
    const row = yield* one(lock({ ...partitionColumns(partition), key }));
    return row ? fromJson<OrderRecord>(row.record) : null;
  };
}

type RecordTable = "checkout_sessions" | "orders" | "payment_attempts" | "refunds" | "disputes";

/** The records of a partition whose `column` equals the parameter `key`. */
const recordsBy = (
  { db }: SqlEngine,
  table: RecordTable,
  column: "id" | "session_id" | "order_id",
  param: Param,
) =>
  db
    // Kysely types one table at a time. All of these have the columns that are named here.
    .selectFrom(table as "orders")
    .select("record")
    .where("store_id", "=", param<string>("store_id"))
    .where("livemode", "=", param<0 | 1>("livemode"))
    .where(column as "id", "=", param<string>("key"));
