import type { Signed } from "../rules/audit/audit-records.ts";
import type { KeyScope } from "../rules/checkout/checkout-records.ts";
import type { Decision, NotedMessage } from "../rules/orders/order-changes.ts";
import type { BuyerFacts } from "../rules/orders/order-commands.ts";
import type { OrderSnapshot } from "../rules/orders/order-snapshot.ts";
import type { Partition, SessionRecord } from "../rules/records.ts";

/** What every step of an order names. */
interface OrderSubjectBase extends Partition, Signed {
  /** The step's name, which the observer is told. A storage has no use for it. */
  readonly step: string;
  /**
   * The host's own client, inside a transaction of the host's. The step runs on it, and the host
   * commits or not. A storage that does not join transactions is given none.
   */
  readonly client?: unknown;
  /** The gateway's message that brings the step. The snapshot says whether it was noted before. */
  readonly message?: NotedMessage | null;
}

/**
 * A session with its order, its money, and the goods that a payment may take. A session that
 * pays a period of a subscription is found with the subscription.
 */
export interface SessionSubject extends OrderSubjectBase {
  readonly on: "session";
  /** The session's id. Null finds nothing: a renewal's order has no session. */
  readonly session_id: string | null;
  /** The uses of the coupon are counted for this buyer, or for a new customer. */
  readonly buyer?: BuyerFacts;
  readonly new_customer_id?: string;
  /** Attempts of other orders that carry this reference are found, too. */
  readonly reference?: string | null;
  /** The open holds of this address are counted. */
  readonly address?: string | null;
  /**
   * The session as it is to be: its coupon is found in place of the stored one's, and the
   * stock of its products besides.
   */
  readonly goods_of?: SessionRecord;
  /** The idempotency key under which the step runs. It is locked after the session. */
  readonly key?: KeyScope;
  /** True reads which products can be bought. Other steps do not refuse products. */
  readonly judges_products?: boolean;
}

/** An order with its session and its money. */
export interface OrderSubject extends OrderSubjectBase {
  readonly on: "order";
  readonly order_id: string;
  /** `history` reads refunds and disputes, `goods` stock and coupon, `all` history and notes. */
  readonly needs: "goods" | "history" | "all";
  /** True lets the step take uploaded keys for entitlements without one, if they are granted. */
  readonly fills?: true;
}

/** A subscription, with the order of one period when the step names the period. */
export interface SubscriptionSubject extends OrderSubjectBase {
  readonly on: "subscription";
  readonly subscription_id: string;
  /**
   * The start of a period, in epoch milliseconds. Its order is found, or else the one of
   * `orderAfterEnd`. Null finds no order.
   */
  readonly period_start: number | null;
  /** Attempts of other orders that carry this reference are found, too. */
  readonly reference: string | null;
}

/**
 * What a step locks. Every storage takes the locks in one order, so that no two
 * steps wait for each other in a circle: session, order, subscription, products by
 * id, coupon, use of the coupon, pools of keys by product. The lock of an order covers its
 * attempts, payments, refunds and disputes.
 */
export type StepSubject = SessionSubject | OrderSubject | SubscriptionSubject;

/** Makes the steps of orders, payments and subscriptions. */
export interface StepStore {
  /**
   * Locks what the subject names and reads it, lets `decide` decide over it, and
   * writes what was decided, in one transaction. A new order gets its number from
   * the storage, in the result too. A decision that `removes` comes from a subject
   * that needs `all`; a session that readers have counted until then is added to the
   * numbers. `decide` is pure: a storage that tries again calls it again, over what it
   * has read anew.
   */
  step<Result>(
    subject: StepSubject,
    decide: (found: OrderSnapshot) => Decision<Result>,
  ): Promise<Result>;
}
