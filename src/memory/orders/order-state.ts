import type { Revocation } from "../../rules/checkout/buyer.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../../rules/payments/payment-records.ts";
import type { NoteRecord, OrderRecord } from "../../rules/records.ts";

/** Holds the rows of orders and payments. Their keys are those of `rowKey`. */
export interface OrderState {
  readonly orders: Map<string, OrderRecord>;
  /** The ids of orders by session. */
  readonly by_session: Map<string, string>;
  /** The ids of orders by subscription and period. */
  readonly by_period: Map<string, string>;
  readonly attempts: Map<string, AttemptRecord>;
  /** The ids of attempts by order, the oldest first. */
  readonly attempts_by_order: Map<string, readonly string[]>;
  /** The money that came, by its id. */
  readonly payments: Map<string, PaymentRecord>;
  /** The ids of payments by order, the oldest first. */
  readonly payments_by_order: Map<string, readonly string[]>;
  /** The ids of the attempts that carry, or once carried, a provider's reference. */
  readonly attempts_by_reference: Map<string, ReadonlySet<string>>;
  readonly refunds: Map<string, RefundRecord>;
  readonly disputes: Map<string, DisputeRecord>;
  readonly subscriptions: Map<string, SubscriptionRecord>;
  /** The owner's notes by order and id. */
  readonly notes: Map<string, NoteRecord>;
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
  attempts: new Map(),
  attempts_by_order: new Map(),
  payments: new Map(),
  payments_by_order: new Map(),
  attempts_by_reference: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  subscriptions: new Map(),
  notes: new Map(),
  notifications: new Set(),
  coupon_uses: new Map(),
  revocations: new Map(),
});
