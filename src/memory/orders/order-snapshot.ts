import { isOffered, type StockCount } from "../../rules/catalog/stock.ts";
import { couponCustomerKey } from "../../rules/orders/order-customer.ts";
import { emptySnapshot, type OrderSnapshot } from "../../rules/orders/order-snapshot.ts";
import type { AttemptRecord, PaymentRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../rules/records.ts";
import { trialCoupon } from "../../rules/subscriptions/trial.ts";
import type { SessionSubject } from "../../storage/step-store.ts";
import { rowsOfStore } from "../catalog/catalog-rows.ts";
import { type MemoryState, rowKey } from "../state.ts";

/** What a step reads besides the rows: see `SessionSubject`. */
type Reads = Pick<
  SessionSubject,
  "buyer" | "new_customer_id" | "reference" | "address" | "goods_of"
>;

/** Loads the session with its order, and the goods that a payment may take. */
export function loadBySession(
  state: MemoryState,
  subject: Partition & Reads & Pick<SessionSubject, "session_id">,
): OrderSnapshot {
  const { session_id } = subject;
  const session = session_id === null ? null : findSession(state, subject, session_id);
  const order = session && findOrderOfSession(state, subject, session.id);
  const renewed = session?.renews?.subscription_id ?? "";
  const subscription = state.orders.subscriptions.get(rowKey(subject, renewed)) ?? null;
  return { ...load(state, { partition: subject, session, order, reads: subject }), subscription };
}

/** Loads the order with its session. */
export function loadByOrder(
  state: MemoryState,
  partition: Partition,
  order_id: string,
): OrderSnapshot {
  const order = state.orders.orders.get(rowKey(partition, order_id));
  if (!order) return emptySnapshot;

  const { session_id } = order;
  const session = session_id === null ? null : findSession(state, partition, session_id);
  return load(state, { partition, session, order, reads: {} });
}

const findSession = (state: MemoryState, partition: Partition, id: string): SessionRecord | null =>
  state.checkout.sessions.get(rowKey(partition, id)) ?? null;

export function findOrderOfSession(
  state: MemoryState,
  partition: Partition,
  session_id: string,
): OrderRecord | null {
  const order_id = state.orders.by_session.get(rowKey(partition, session_id));
  if (order_id === undefined) return null;
  return state.orders.orders.get(rowKey(partition, order_id)) ?? null;
}

interface SnapshotSubject {
  readonly partition: Partition;
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  readonly reads: Reads;
}

function load(state: MemoryState, subject: SnapshotSubject): OrderSnapshot {
  const { partition, session, order, reads } = subject;
  const { buyer = null, new_customer_id = "", reference = null, address = null } = reads;
  const goods = session && (reads.goods_of ?? session);
  const ofOrder = <R extends { readonly order_id: string }>(rows: Map<string, R>): readonly R[] =>
    order ? [...rows.values()].filter((row) => row.order_id === order.id) : [];
  const customer_key = goods && couponCustomerKey(goods, order, buyer, new_customer_id);
  return {
    ...emptySnapshot,
    session,
    order,
    attempts: order ? attemptsOf(state, order) : [],
    payments: order ? paymentsOf(state, order) : [],
    elsewhere: attemptsElsewhere(state, partition, order, reference),
    refunds: ofOrder(state.orders.refunds),
    disputes: ofOrder(state.orders.disputes),
    stock: goods ? countStock(state, partition, [...session.lines, ...goods.lines]) : new Map(),
    coupon:
      goods && customer_key !== null ? loadCoupon(state, partition, goods, customer_key) : null,
    offered: session && findOffered(state, session),
    open_holds: state.checkout.open_holds.get(rowKey(partition, address ?? "")) ?? 0,
  };
}

function findOffered({ catalog }: MemoryState, session: SessionRecord): ReadonlySet<string> {
  const products = rowsOfStore(catalog.products, session.store_id);
  const ids = session.lines.map(({ product_id }) => product_id);
  return new Set(
    ids.filter((id) => {
      const product = products.get(id);
      return product !== undefined && isOffered(product.record);
    }),
  );
}

const attemptsOf = (state: MemoryState, order: OrderRecord): readonly AttemptRecord[] => {
  const { attempts, attempts_by_order } = state.orders;
  const ids = attempts_by_order.get(rowKey(order, order.id)) ?? [];
  return ids.flatMap((id) => attempts.get(rowKey(order, id)) ?? []);
};

const paymentsOf = (state: MemoryState, order: OrderRecord): readonly PaymentRecord[] => {
  const { payments, payments_by_order } = state.orders;
  const ids = payments_by_order.get(rowKey(order, order.id)) ?? [];
  return ids.flatMap((id) => payments.get(rowKey(order, id)) ?? []);
};

/** Gives the attempts of other orders that carry the reference. */
export function attemptsElsewhere(
  state: MemoryState,
  partition: Partition,
  order: OrderRecord | null,
  reference: string | null,
): readonly AttemptRecord[] {
  if (reference === null) return [];

  const ids = state.orders.attempts_by_reference.get(rowKey(partition, reference)) ?? [];
  return [...ids]
    .flatMap((id) => state.orders.attempts.get(rowKey(partition, id)) ?? [])
    .filter((attempt) => attempt.order_id !== order?.id);
}

function countStock(
  state: MemoryState,
  partition: Partition,
  lines: SessionRecord["lines"],
): OrderSnapshot["stock"] {
  const counts = new Map<string, StockCount>();
  for (const { product_id } of lines) {
    const count = state.catalog.stock.get(rowKey(partition, product_id));
    if (count) counts.set(product_id, count);
  }
  return counts;
}

function loadCoupon(
  state: MemoryState,
  partition: Partition,
  session: SessionRecord,
  customer_key: string,
): OrderSnapshot["coupon"] {
  if (session.coupon_id === null) return null;

  const coupons = rowsOfStore(state.catalog.coupons, partition.store_id);
  const coupon = trialCoupon(session) ?? coupons.get(session.coupon_id);
  if (!coupon) return null;

  const usesKey = rowKey(partition, `${coupon.id}\n${customer_key}`);
  return {
    ...coupon,
    used: state.catalog.coupon_uses.get(rowKey(partition, coupon.id)) ?? 0,
    customer_key,
    used_by_customer: state.orders.coupon_uses.get(usesKey) ?? 0,
  };
}
