import type { StockChange } from "../catalog/stock.ts";
import type { KeyScope } from "../checkout/checkout-records.ts";
import type { IdempotencyKey } from "../checkout/key-state.ts";
import type { TakenKey } from "../entitlements/entitlement-record.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { AlertRecord, EventDraft, OrderRecord, SessionRecord } from "../records.ts";

/** One use of a coupon is taken or given back. */
export interface CouponChange {
  readonly coupon_id: string;
  readonly used_delta: 1 | -1;
  /** The use counts for this customer, as `couponCustomerKey` names them. */
  readonly customer_key: string;
  /** True means that the use is taken only if the coupon has one left. */
  readonly guarded: boolean;
}

/** An address has one open hold more, or one less. */
export interface OpenHoldChange {
  readonly address: string;
  readonly delta: 1 | -1;
}

/**
 * Holds all that a step writes. An order whose `number` is 0 is new, and the
 * storage numbers it.
 */
export interface OrderChanges {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  readonly attempts: readonly AttemptRecord[];
  readonly payments: readonly PaymentRecord[];
  readonly refunds: readonly RefundRecord[];
  readonly disputes: readonly DisputeRecord[];
  readonly subscription: SubscriptionRecord | null;
  readonly stock: readonly StockChange[];
  /**
   * The changes of coupons, in the order in which they are applied: a use may move from one
   * customer to another.
   */
  readonly coupons: readonly CouponChange[];
  /** Uploaded keys that somebody gets. Each is given once. */
  readonly taken_keys: readonly TakenKey[];
  readonly open_hold: OpenHoldChange | null;
  readonly events: readonly EventDraft[];
  readonly alerts: readonly AlertRecord[];
  /** Alerts that are not true any more, with their notices. */
  readonly withdrawn: readonly Pick<AlertRecord, "type" | "subject">[];
}

/** Names a message of a gateway. Each is applied once in its store and mode. */
export interface NotedMessage {
  readonly gateway: string;
  readonly notification_id: string;
  /** The time of the step, in epoch milliseconds. */
  readonly now: number;
}

/** How a step ends, and what it writes. `changes` is null when it writes nothing. */
export interface Decision<Result> {
  readonly result: Result;
  readonly changes: OrderChanges | null;
  /** The message that the step notes, so that a repeat of it is seen. */
  readonly message?: NotedMessage | null;
  /** The idempotency key that the step finishes, with the reply to repeat. */
  readonly key?: ScopedKey;
  /**
   * True removes the order that was found, with its session, attempts, payments, refunds,
   * disputes and notes. What it counted stays counted: numbers, totals and uses of coupons.
   */
  readonly removes?: true;
}

/** An idempotency key with the scope that it is unique in. */
export interface ScopedKey {
  readonly scope: KeyScope;
  readonly key: IdempotencyKey;
}

/** Fills in what does not change. */
export const orderChanges = (changes: Partial<OrderChanges>): OrderChanges => ({
  session: changes.session ?? null,
  order: changes.order ?? null,
  attempts: changes.attempts ?? [],
  payments: changes.payments ?? [],
  refunds: changes.refunds ?? [],
  disputes: changes.disputes ?? [],
  subscription: changes.subscription ?? null,
  stock: changes.stock ?? [],
  coupons: changes.coupons ?? [],
  taken_keys: changes.taken_keys ?? [],
  open_hold: changes.open_hold ?? null,
  events: changes.events ?? [],
  alerts: changes.alerts ?? [],
  withdrawn: changes.withdrawn ?? [],
});

/** Notes the message that brings a step, unless it was noted before. */
export const withMessage = <Result>(
  decision: Decision<Result>,
  message: NotedMessage | null,
  { message_seen }: { readonly message_seen: boolean },
): Decision<Result> => (message && !message_seen ? { ...decision, message } : decision);

export const withoutChanges = <Result>(result: Result): Decision<Result> => ({
  result,
  changes: null,
});
