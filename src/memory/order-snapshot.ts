import type { BuyerFacts } from "../rules/order-commands.ts";
import { couponCustomerKey } from "../rules/order-customer.ts";
import { emptySnapshot, type OrderSnapshot } from "../rules/order-snapshot.ts";
import type { AttemptRecord } from "../rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../rules/records.ts";
import { onHand, rowsOfStore } from "./catalog-rows.ts";
import { type MemoryState, rowKey } from "./state.ts";

/** Who pays in the step, when the step tells it. */
interface Payer {
  readonly buyer: BuyerFacts | null;
  readonly new_customer_id: string;
}

const unknownPayer: Payer = { buyer: null, new_customer_id: "" };

/** The session with its order, and the goods that a payment may take. */
export function loadBySession(
  state: MemoryState,
  partition: Partition,
  session_id: string | null,
  payer: Payer = unknownPayer,
): OrderSnapshot {
  const session = session_id === null ? null : findSession(state, partition, session_id);
  const order = session && findOrderOfSession(state, partition, session.id);
  return load(state, { partition, session, order, payer });
}

/** The order with its session. */
export function loadByOrder(
  state: MemoryState,
  partition: Partition,
  order_id: string,
): OrderSnapshot {
  const order = state.orders.orders.get(rowKey(partition, order_id));
  if (!order) return emptySnapshot;

  const { session_id } = order;
  const session = session_id === null ? null : findSession(state, partition, session_id);
  return load(state, { partition, session, order, payer: unknownPayer });
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
  readonly payer: Payer;
}

function load(state: MemoryState, subject: SnapshotSubject): OrderSnapshot {
  const { partition, session, order, payer } = subject;
  const ofOrder = <R extends { readonly order_id: string }>(rows: Map<string, R>): readonly R[] =>
    order ? [...rows.values()].filter((row) => row.order_id === order.id) : [];
  const customer_key =
    session && couponCustomerKey(session, order, payer.buyer, payer.new_customer_id);
  return {
    session,
    order,
    attempts: order ? attemptsOf(state, order) : [],
    refunds: ofOrder(state.orders.refunds),
    disputes: ofOrder(state.orders.disputes),
    on_hand: session ? countStock(state, partition, session) : new Map(),
    coupon:
      session && customer_key !== null ? loadCoupon(state, partition, session, customer_key) : null,
  };
}

const attemptsOf = (state: MemoryState, order: OrderRecord): readonly AttemptRecord[] => {
  const { attempts, attempts_by_order } = state.orders;
  const ids = attempts_by_order.get(rowKey(order, order.id)) ?? [];
  return ids.flatMap((id) => attempts.get(rowKey(order, id)) ?? []);
};

function countStock(
  state: MemoryState,
  partition: Partition,
  session: SessionRecord,
): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { product_id } of session.lines) {
    const free = onHand(state, partition, product_id);
    if (free !== null) counted.set(product_id, free);
  }
  return counted;
}

function loadCoupon(
  state: MemoryState,
  partition: Partition,
  session: SessionRecord,
  customer_key: string,
): OrderSnapshot["coupon"] {
  if (session.coupon_id === null) return null;

  const coupon = rowsOfStore(state.catalog.coupons, partition.store_id).get(session.coupon_id);
  if (!coupon) return null;

  const usesKey = rowKey(partition, `${coupon.id}\n${customer_key}`);
  return {
    ...coupon,
    used: state.catalog.coupon_uses.get(rowKey(partition, coupon.id)) ?? 0,
    customer_key,
    used_by_customer: state.orders.coupon_uses.get(usesKey) ?? 0,
  };
}
