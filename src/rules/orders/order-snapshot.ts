import type { StockCount } from "../catalog/stock.ts";
import type { CartCoupon } from "../checkout/checkout-records.ts";
import type { IdempotencyKey } from "../checkout/key-state.ts";
import type { PoolKey } from "../entitlements/entitlement-record.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { NoteRecord, OrderRecord, SessionRecord } from "../records.ts";

/** The session's coupon, with its uses counted for one customer. */
export interface SnapshotCoupon extends CartCoupon {
  /** The uses are counted for this customer, as `couponCustomerKey` names them. */
  readonly customer_key: string;
  readonly used_by_customer: number;
}

/** A step decides over these rows. The storage has locked them: they stay true until it commits. */
export interface OrderSnapshot {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  /** Every attempt of the order, the oldest first. */
  readonly attempts: readonly AttemptRecord[];
  /** The money that came for the order, the oldest first. */
  readonly payments: readonly PaymentRecord[];
  /** The attempts of other orders that carry the reference which the step names. */
  readonly elsewhere: readonly AttemptRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
  /** The owner's notes. They are read for a step that may remove the order. */
  readonly notes: readonly NoteRecord[];
  /**
   * The pieces of this mode, by product id. A product that was never
   * counted is absent.
   */
  readonly stock: ReadonlyMap<string, StockCount>;
  readonly coupon: SnapshotCoupon | null;
  /**
   * The ids of the session's products that can be bought: they exist, and
   * are neither drafts nor blocked. It is null where the step does not judge them.
   */
  readonly offered: ReadonlySet<string> | null;
  /** The uploaded keys that the step may take, by product, as `keysWanted` asks for them. */
  readonly pools: ReadonlyMap<string, readonly PoolKey[]>;
  /** Counts the open holds of the address that the step names. */
  readonly open_holds: number;
  /** The subscription that the step names. */
  readonly subscription: SubscriptionRecord | null;
  /** True when the message that the step names was noted before. */
  readonly message_seen: boolean;
  /** The idempotency key that the step names, locked. */
  readonly key: IdempotencyKey | null;
  /** Milliseconds that the mode of the store is ahead of the real time. */
  readonly offset: number;
}

/** What a step finds when there is nothing. */
export const emptySnapshot: OrderSnapshot = {
  session: null,
  order: null,
  attempts: [],
  payments: [],
  elsewhere: [],
  refunds: [],
  disputes: [],
  notes: [],
  stock: new Map(),
  coupon: null,
  offered: null,
  pools: new Map(),
  open_holds: 0,
  subscription: null,
  message_seen: false,
  key: null,
  offset: 0,
};
