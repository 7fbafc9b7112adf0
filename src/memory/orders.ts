import type {
  BuyerFacts,
  ClosingResult,
  CompletionResult,
  DisputeResult,
  FailingResult,
  PaymentApplied,
  RefundReserved,
  RefundSettled,
  RenewalResult,
  SubmissionResult,
  SubscriptionCanceled,
} from "../rules/order-commands.ts";
import {
  decideClosing,
  decideCompletion,
  decideFailing,
  decidePayment,
  decideSubmission,
} from "../rules/order-machine.ts";
import {
  type Answer,
  couponKey,
  emptySnapshot,
  type OrderChanges,
  type Snapshot,
} from "../rules/order-parts.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../rules/records.ts";
import {
  decideDispute,
  decideDisputeClosed,
  decideRefund,
  decideRefundResult,
} from "../rules/refund-machine.ts";
import { decideCancel, decideRenewal } from "../rules/subscription-machine.ts";
import type { OrderList, OrderQuery, OrderStore, WorkClaim } from "../storage/order-store.ts";
import { onHand, within } from "./catalog.ts";
import { writeChanges } from "./order-changes.ts";
import { type MemoryState, rowKey } from "./state.ts";

export interface OrderState {
  readonly orders: Map<string, OrderRecord>;
  readonly by_session: Map<string, string>;
  /** Order ids by subscription and period. */
  readonly by_period: Map<string, string>;
  readonly attempts: Map<string, AttemptRecord>;
  /** Attempt ids by order. */
  readonly of_order: Map<string, readonly string[]>;
  readonly refunds: Map<string, RefundRecord>;
  readonly disputes: Map<string, DisputeRecord>;
  readonly subscriptions: Map<string, SubscriptionRecord>;
  readonly notifications: Set<string>;
  readonly coupon_uses: Map<string, number>;
  readonly not_before: Map<string, number>;
}

export const createOrderState = (): OrderState => ({
  orders: new Map(),
  by_session: new Map(),
  by_period: new Map(),
  attempts: new Map(),
  of_order: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  subscriptions: new Map(),
  notifications: new Set(),
  coupon_uses: new Map(),
  not_before: new Map(),
});

export function memoryOrders(state: MemoryState): OrderStore {
  const { orders, attempts, not_before, refunds, subscriptions, notifications } = state.orders;

  const list = (query: OrderQuery, wanted: (order: OrderRecord) => boolean): OrderList => {
    const own = [...orders.values()]
      .filter(
        (order) =>
          order.store_id === query.store_id && order.livemode === query.livemode && wanted(order),
      )
      .sort((a, b) => b.number - a.number);
    const after = query.after === undefined ? undefined : orders.get(rowKey(query, query.after));
    if (query.after !== undefined && (!after || !wanted(after)))
      return { outcome: "unknown_cursor" };
    const rest = after ? own.filter((order) => order.number < after.number) : own;
    return {
      outcome: "listed",
      orders: rest
        .filter((order) => query.status === undefined || order.status === query.status)
        .slice(0, query.limit + 1),
    };
  };
  /** One step: snapshot, decision, writes, with nothing in between. */
  const step = <
    D extends { readonly changes: OrderChanges | null; readonly order: OrderRecord | null },
  >(
    partition: Partition,
    { changes, ...answer }: D,
  ): Answer<D> =>
    changes
      ? { ...answer, order: writeChanges(state, partition, changes) ?? answer.order }
      : answer;
  const byOrder = (partition: Partition, order_id: string): Snapshot => {
    const order = orders.get(rowKey(partition, order_id));
    return order ? load(state, partition, order.session_id, order) : emptySnapshot;
  };
  /** Takes what is due and leaves it due again at `until`. */
  const claim = <R extends Partition & { readonly id: string }>(
    rows: Map<string, R>,
    { now, until, limit }: WorkClaim,
    dueAt: (row: R) => number | null,
    postponed: (row: R, until: number) => R,
  ): readonly R[] =>
    [...rows.values()]
      .filter((row) => (dueAt(row) ?? Number.POSITIVE_INFINITY) <= now)
      .sort((a, b) => (dueAt(a) ?? 0) - (dueAt(b) ?? 0))
      .slice(0, limit)
      .map((row) => {
        const leased = postponed(row, until);
        rows.set(rowKey(row, row.id), leased);
        return leased;
      });

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
      const snapshot = load(
        state,
        command,
        command.session_id,
        null,
        command.buyer,
        command.ids.customer,
      );
      return step(command, decideSubmission(snapshot, command)) as SubmissionResult;
    },
    async applyPayment(command) {
      const attempt = attempts.get(rowKey(command, command.attempt_id));
      const snapshot = load(state, command, attempt?.session_id ?? null);
      if (attempt && snapshot.order && command.notification_id !== undefined) {
        const key = rowKey(command, `${attempt.gateway}\n${command.notification_id}`);
        if (notifications.has(key)) return { outcome: "unchanged", order: snapshot.order, attempt };
        notifications.add(key);
      }
      return step(command, decidePayment(snapshot, command)) as PaymentApplied;
    },
    async completeSession(command) {
      const snapshot = load(
        state,
        command,
        command.session_id,
        null,
        command.buyer,
        command.ids.customer,
      );
      return step(command, decideCompletion(snapshot, command)) as CompletionResult;
    },
    closeSession: async (command) =>
      step(
        command,
        decideClosing(load(state, command, command.session_id), command),
      ) as ClosingResult,
    failOrder: async (command) =>
      step(command, decideFailing(byOrder(command, command.order_id), command)) as FailingResult,
    reserveRefund: async (command) =>
      step(command, decideRefund(byOrder(command, command.order_id), command)) as RefundReserved,
    settleRefund: async (command) =>
      step(
        command,
        decideRefundResult(byOrder(command, command.order_id), command),
      ) as RefundSettled,
    openDispute: async (command) =>
      step(command, decideDispute(byOrder(command, command.order_id), command)) as DisputeResult,
    closeDispute: async (command) =>
      step(
        command,
        decideDisputeClosed(byOrder(command, command.order_id), command),
      ) as DisputeResult,
    async settleReservation(partition, order_id) {
      const order = orders.get(rowKey(partition, order_id));
      if (order?.reserved && order.status !== "pending")
        orders.set(rowKey(partition, order_id), { ...order, reserved: false, sweep_at: null });
    },
    async renew(command) {
      const subscription = subscriptions.get(rowKey(command, command.subscription_id)) ?? null;
      const order_id = state.orders.by_period.get(
        rowKey(command, `${command.subscription_id}\n${command.period_start}`),
      );
      const order = (order_id && orders.get(rowKey(command, order_id))) || null;
      const made = order ? attemptsOf(state, order) : [];
      return step(
        command,
        decideRenewal({ subscription, order, attempts: made }, command),
      ) as RenewalResult;
    },
    async cancelSubscription(command) {
      const { changes, ...answer } = decideCancel(
        subscriptions.get(rowKey(command, command.subscription_id)) ?? null,
        command,
      );
      writeChanges(state, command, changes);
      return answer as SubscriptionCanceled;
    },
    findSubscription: async (partition, id) => subscriptions.get(rowKey(partition, id)) ?? null,
    async listSubscriptions({ customer_id, status, after, limit, ...partition }) {
      return [...subscriptions.values()]
        .filter(
          (one) =>
            one.store_id === partition.store_id &&
            one.livemode === partition.livemode &&
            (customer_id === undefined || one.customer.id === customer_id) &&
            (status === undefined || one.status === status) &&
            (after === undefined || one.id < after),
        )
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit + 1);
    },
    findAttempt: async (gateway, livemode, { reference, id }) =>
      [...attempts.values()].find(
        (attempt) =>
          attempt.gateway === gateway &&
          attempt.livemode === livemode &&
          (attempt.reference === reference || (id !== null && attempt.id === id)),
      ) ?? null,
    claimOrders: async (work) =>
      claim(
        orders,
        work,
        (order) => order.sweep_at,
        (order, sweep_at) => ({ ...order, sweep_at }),
      ),
    claimAttempts: async (work) =>
      claim(
        attempts,
        work,
        (attempt) => attempt.check_at,
        (attempt, check_at) => ({ ...attempt, check_at }),
      ),
    claimRefunds: async (work) =>
      claim(
        refunds,
        work,
        (refund) => refund.check_at,
        (refund, check_at) => ({ ...refund, check_at }),
      ),
    // Ending one takes it out of the due ones: no lease to keep.
    claimSubscriptions: async (work) =>
      claim(subscriptions, work, endsAt, (subscription) => subscription),
    async settleDuplicate(partition, attempt_id, settled, now) {
      const attempt = attempts.get(rowKey(partition, attempt_id));
      if (attempt?.state === "duplicate")
        attempts.set(rowKey(partition, attempt_id), {
          ...attempt,
          state: settled,
          check_at: null,
          updated_at: now,
        });
    },
    async findCheckout(partition, session_id) {
      const { session, order, attempts: made } = load(state, partition, session_id);
      return session && { session, order, attempt: made.at(-1) ?? null };
    },
  };
}

const endsAt = (subscription: SubscriptionRecord): number | null =>
  subscription.cancel_at_period_end && subscription.status !== "canceled"
    ? subscription.current_period_end
    : null;

function load(
  state: MemoryState,
  partition: Partition,
  session_id: string | null,
  known: OrderRecord | null = null,
  buyer: BuyerFacts | null = null,
  new_customer = "",
): Snapshot {
  const session =
    (session_id !== null && state.checkout.sessions.get(rowKey(partition, session_id))) || null;
  const order_id = session && state.orders.by_session.get(rowKey(partition, session.id));
  const order =
    known ?? ((order_id && state.orders.orders.get(rowKey(partition, order_id))) || null);
  const mine = <R extends { readonly order_id: string }>(rows: Map<string, R>): R[] =>
    order ? [...rows.values()].filter((row) => row.order_id === order.id) : [];
  return {
    session,
    order,
    attempts: order ? attemptsOf(state, order) : [],
    refunds: mine(state.orders.refunds),
    disputes: mine(state.orders.disputes),
    on_hand: session ? stockOf(state, partition, session) : new Map(),
    coupon: session && couponOf(state, partition, session, order, buyer, new_customer),
  };
}

const attemptsOf = (state: MemoryState, order: OrderRecord): readonly AttemptRecord[] =>
  (state.orders.of_order.get(rowKey(order, order.id)) ?? []).flatMap(
    (id) => state.orders.attempts.get(rowKey(order, id)) ?? [],
  );

function stockOf(
  state: MemoryState,
  partition: Partition,
  session: SessionRecord,
): Map<string, number> {
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
  const coupon =
    session.coupon_id === null
      ? undefined
      : within(state.catalog.coupons, partition.store_id).get(session.coupon_id);
  if (!coupon) return null;
  const customer_key = couponKey(session, order, buyer, new_customer);
  return {
    ...coupon,
    used: state.catalog.coupon_uses.get(rowKey(partition, coupon.id)) ?? 0,
    customer_key,
    used_by_customer:
      state.orders.coupon_uses.get(rowKey(partition, `${coupon.id}\n${customer_key}`)) ?? 0,
  };
}
