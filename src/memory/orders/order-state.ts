import type { RemovedSales } from "../../rows/sales.ts";
import type { Revocation } from "../../rules/checkout/buyer.ts";
import type { CustomerTotal } from "../../rules/orders/order-terms.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../rules/payments/payment-records.ts";
import type { NoteRecord, OrderRecord, Partition } from "../../rules/records.ts";
import { rowKey } from "../row-key.ts";

/** Holds the rows of orders and payments. Their keys are those of `rowKey`. */
export interface OrderState {
  readonly orders: Map<string, OrderRecord>;
  /** The ids of orders by session. */
  readonly by_session: Map<string, string>;
  /** The ids of orders by subscription and period. */
  readonly by_period: Map<string, string>;
  /** The keys of attempts, payments, refunds and disputes by order and kind, the oldest first. */
  readonly by_order: Map<string, readonly string[]>;
  readonly attempts: Map<string, AttemptRecord>;
  /** The money that came, by its id. */
  readonly payments: Map<string, PaymentRecord>;
  /** The ids of the attempts that carry, or once carried, a provider's reference. */
  readonly attempts_by_reference: Map<string, ReadonlySet<string>>;
  readonly refunds: Map<string, RefundRecord>;
  readonly disputes: Map<string, DisputeRecord>;
  readonly subscriptions: Map<string, SubscriptionRecord>;
  /** The owner's notes by order and id. */
  readonly notes: Map<string, NoteRecord>;
  /** The totals of removed orders, by customer and currency. */
  readonly kept_totals: Map<string, CustomerTotal>;
  /** What removed orders sold, by hour. */
  readonly kept_sales: Map<string, RemovedSales>;
  /** The gateways' notifications that were seen. */
  readonly notifications: Set<string>;
  /** The number of uses of coupons by coupon and customer. */
  readonly coupon_uses: Map<string, number>;
  /** The revocations by partition and the name of a customer's revocation. */
  readonly revocations: Map<string, Revocation>;
}

export const createOrderState = (): OrderState => ({
  orders: new Map(),
  by_session: new Map(),
  by_period: new Map(),
  by_order: new Map(),
  attempts: new Map(),
  payments: new Map(),
  attempts_by_reference: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  subscriptions: new Map(),
  notes: new Map(),
  kept_totals: new Map(),
  kept_sales: new Map(),
  notifications: new Set(),
  coupon_uses: new Map(),
  revocations: new Map(),
});

export function findOrderOfSession(
  { by_session, orders }: Pick<OrderState, "by_session" | "orders">,
  partition: Partition,
  session_id: string,
): OrderRecord | null {
  const order_id = by_session.get(rowKey(partition, session_id));
  return order_id === undefined ? null : (orders.get(rowKey(partition, order_id)) ?? null);
}
