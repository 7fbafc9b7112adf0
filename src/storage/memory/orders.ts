import { decideCancellation, decideCompletion, decidePayment, decideSubmission } from "../../payments/order-machine.ts";
import { type Answer, couponKey, type Decision, type OrderChanges, type Snapshot } from "../../payments/order-parts.ts";
import { renderEvent } from "../../webhooks/render-event.ts";
import type {
  BuyerFacts,
  CancellationResult,
  CompletionResult,
  OrderList,
  OrderQuery,
  OrderStore,
  PaymentApplied,
  SubmissionResult,
} from "../order-store.ts";
import type { AttemptRecord, OrderRecord, Partition, SessionRecord } from "../records.ts";
import { addAlert } from "./access.ts";
import { onHand, within } from "./catalog.ts";
import { adjustCoupon, adjustStock } from "./catalog-owner.ts";
import { type MemoryState, rowKey } from "./state.ts";
import { insertEvents, takeNumbers } from "./webhooks.ts";

export interface OrderState {
  readonly orders: Map<string, OrderRecord>;
  readonly by_session: Map<string, string>;
  readonly attempts: Map<string, AttemptRecord>;
  /** Attempt ids by order. */
  readonly of_order: Map<string, readonly string[]>;
  readonly coupon_uses: Map<string, number>;
  readonly not_before: Map<string, number>;
}

export const createOrderState = (): OrderState => ({
  orders: new Map(),
  by_session: new Map(),
  attempts: new Map(),
  of_order: new Map(),
  coupon_uses: new Map(),
  not_before: new Map(),
});

export function memoryOrders(state: MemoryState): OrderStore {
  const { orders, attempts, not_before } = state.orders;

  const list = (query: OrderQuery, wanted: (order: OrderRecord) => boolean): OrderList => {
    const own = [...orders.values()]
      .filter((order) => order.store_id === query.store_id && order.livemode === query.livemode && wanted(order))
      .sort((a, b) => b.number - a.number);
    const after = query.after === undefined ? undefined : orders.get(rowKey(query, query.after));
    if (query.after !== undefined && (!after || !wanted(after))) return { outcome: "unknown_cursor" };
    const rest = after ? own.filter((order) => order.number < after.number) : own;
    return {
      outcome: "listed",
      orders: rest.filter((order) => query.status === undefined || order.status === query.status).slice(0, query.limit + 1),
    };
  };
  /** One step: snapshot, decision, writes, with nothing in between. */
  const step = <O extends string>(partition: Partition, { changes, ...answer }: Decision<O>): Answer<O> =>
    changes ? { ...answer, order: write(state, partition, changes) } : answer;

  return {
    findOrder: async (partition, id) => orders.get(rowKey(partition, id)) ?? null,
    listOrders: async (query) => list(query, () => true),
    async listCustomerOrders(query) {
      const since = not_before.get(rowKey(query, query.customer_id));
      if (since !== undefined && query.token_issued_at < since) return { outcome: "token_revoked" };
      return list(query, (order) => order.customer.id === query.customer_id);
    },
    async revokeCustomerTokens(partition, customer_id, since) {
      const key = rowKey(partition, customer_id);
      not_before.set(key, Math.max(not_before.get(key) ?? 0, since));
    },
    async submitSession(command) {
      const snapshot = load(state, command, command.session_id, command.buyer, command.ids.customer);
      return step(command, decideSubmission(snapshot, command)) as SubmissionResult;
    },
    async applyPayment(command) {
      const attempt = attempts.get(rowKey(command, command.attempt_id));
      const snapshot = load(state, command, attempt?.session_id ?? null);
      return step(command, decidePayment(snapshot, command)) as PaymentApplied;
    },
    async completeSession(command) {
      const snapshot = load(state, command, command.session_id, command.buyer, command.ids.customer);
      return step(command, decideCompletion(snapshot, command)) as CompletionResult;
    },
    async cancelOrder(command) {
      const snapshot = load(state, command, command.session_id);
      return step(command, decideCancellation(snapshot, command)) as CancellationResult;
    },
    async findCheckout(partition, session_id) {
      const { session, order, attempts: made } = load(state, partition, session_id);
      return session && { session, order, attempt: made.at(-1) ?? null };
    },
  };
}

function load(
  state: MemoryState,
  partition: Partition,
  session_id: string | null,
  buyer: BuyerFacts | null = null,
  new_customer = "",
): Snapshot {
  const session = (session_id !== null && state.checkout.sessions.get(rowKey(partition, session_id))) || null;
  if (!session) return { session: null, order: null, attempts: [], on_hand: new Map(), coupon: null };
  const order_id = state.orders.by_session.get(rowKey(partition, session.id));
  const order = (order_id && state.orders.orders.get(rowKey(partition, order_id))) || null;
  const attempts = order
    ? (state.orders.of_order.get(rowKey(partition, order.id)) ?? []).flatMap((id) => state.orders.attempts.get(rowKey(partition, id)) ?? [])
    : [];
  return {
    session,
    order,
    attempts,
    on_hand: stockOf(state, partition, session),
    coupon: couponOf(state, partition, session, order, buyer, new_customer),
  };
}

function stockOf(state: MemoryState, partition: Partition, session: SessionRecord): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { product_id } of session.lines) {
    const free = onHand(state, partition, product_id);
    if (free !== null) counted.set(product_id, free);
  }
  return counted;
}

function couponOf(
  state: MemoryState,
  partition: Partition,
  session: SessionRecord,
  order: OrderRecord | null,
  buyer: BuyerFacts | null,
  new_customer: string,
): Snapshot["coupon"] {
  const coupon = session.coupon_id === null ? undefined : within(state.catalog.coupons, partition.store_id).get(session.coupon_id);
  if (!coupon) return null;
  const customer_key = couponKey(session, order, buyer, new_customer);
  return {
    ...coupon,
    used: state.catalog.coupon_uses.get(rowKey(partition, coupon.id)) ?? 0,
    customer_key,
    used_by_customer: state.orders.coupon_uses.get(rowKey(partition, `${coupon.id}\n${customer_key}`)) ?? 0,
  };
}

function write(state: MemoryState, partition: Partition, changes: OrderChanges): OrderRecord {
  const { coupon } = changes;
  if (!adjustStock(state, partition, changes.stock)) throw new Error("A stock guard failed after its check.");
  if (coupon) {
    if (!adjustCoupon(state, partition, coupon.coupon_id, coupon.used_delta, coupon.guarded))
      throw new Error("A coupon guard failed after its check.");
    const key = rowKey(partition, `${coupon.coupon_id}\n${coupon.customer_key}`);
    state.orders.coupon_uses.set(key, Math.max(0, (state.orders.coupon_uses.get(key) ?? 0) + coupon.used_delta));
  }
  const isNew = changes.order.number === 0;
  const { order_number, first_sequence } = takeNumbers(state, partition, { orders: isNew ? 1 : 0, events: changes.events.length });
  const order = isNew ? { ...changes.order, number: order_number } : changes.order;
  if (changes.session) state.checkout.sessions.set(rowKey(partition, changes.session.id), changes.session);
  state.orders.orders.set(rowKey(partition, order.id), order);
  if (order.session_id !== null) state.orders.by_session.set(rowKey(partition, order.session_id), order.id);
  for (const attempt of changes.attempts) {
    const key = rowKey(partition, attempt.id);
    const made = state.orders.of_order.get(rowKey(partition, order.id)) ?? [];
    if (!state.orders.attempts.has(key)) state.orders.of_order.set(rowKey(partition, order.id), [...made, attempt.id]);
    state.orders.attempts.set(key, attempt);
  }
  for (const alert of changes.alerts) addAlert(state, alert, 0);
  insertEvents(
    state,
    partition,
    changes.events.map((draft, index) => renderEvent(partition, draft, order.number, first_sequence + index)),
  );
  return order;
}
