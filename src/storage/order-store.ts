import type { OrderStatus } from "../contract/schemas.ts";
import type { Signed } from "../rules/audit/audit-records.ts";
import type {
  AttemptRecord,
  PaymentRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../rules/payments/payment-records.ts";
import type { AlertRecord, OrderRecord, Partition, SessionRecord } from "../rules/records.ts";
import type { AgeOrder, MovedRange } from "./reads/listing-store.ts";
import type { StepStore } from "./step-store.ts";

/**
 * Selects the subscriptions of a list. A filter that is left out matches every one.
 */
export interface SubscriptionQuery extends Partition, AgeOrder {
  readonly customer_id?: string;
  readonly status?: SubscriptionRecord["status"];
  /** The id of the last subscription that the caller has seen. */
  readonly after?: string;
  readonly limit: number;
}

/** Selects the refunds of a list. A filter that is left out matches every refund. */
export interface RefundQuery extends Partition, AgeOrder {
  readonly order_id?: string;
  readonly state?: RefundRecord["state"];
  /** The id of the last refund that the caller has seen. */
  readonly after?: string;
  /** Selects the refunds that succeeded in a span of time. */
  readonly succeeded?: MovedRange<{ readonly id: string }>;
  readonly limit: number;
}

/** The records that the store of orders keeps, by their kinds. */
export interface OrderRecords {
  readonly order: OrderRecord;
  readonly attempt: AttemptRecord;
  readonly payment: PaymentRecord;
  readonly refund: RefundRecord;
  readonly subscription: SubscriptionRecord;
}

/** The kinds of work that maintenance claims, with the rows that are due. */
export interface WorkRecords {
  readonly orders: OrderRecord;
  /** Sessions whose holds have ended. */
  readonly holds: SessionRecord;
  readonly attempts: AttemptRecord;
  /** Duplicate payments, which the gateway is to send back. */
  readonly payments: PaymentRecord;
  readonly refunds: RefundRecord;
  readonly subscriptions: SubscriptionRecord;
  /** Subscriptions whose next period is to be charged. */
  readonly renewals: SubscriptionRecord;
}

/** Maintenance takes rows under a lease, so that several processes share the work. */
export interface WorkClaim {
  readonly now: number;
  /** A row that is not settled by then is due again. */
  readonly until: number;
  /** The same for rows of the test mode, whose clock waits for them. It is `until` by default. */
  readonly test_until?: number;
  /** Claims the rows of one store and mode alone. */
  readonly of?: Partition | undefined;
  readonly limit: number;
}

/** The names of a payment in a gateway's message. */
export interface AttemptNames {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
  /** The provider's ids of what was asked for, of the money, or of both. */
  readonly references: readonly string[];
  /** The library's id of the payment (`pay_…`). Null when the message does not name it. */
  readonly payment_id: string | null;
}

/** Selects the orders of a list. A filter that is left out matches every order. */
export interface OrderQuery extends Partition {
  readonly status?: OrderStatus;
  /** The id of the checkout session from which the order came. */
  readonly session_id?: string;
  /** The id of the last order that the caller has seen. */
  readonly after?: string;
  readonly limit: number;
}

/** Selects the orders that are shown to a buyer who comes with a token. */
export interface CustomerOrderQuery extends Omit<OrderQuery, "status" | "session_id"> {
  readonly customer_id: string;
  /** The names of the buyer's revocation. */
  readonly customer_keys: readonly string[];
  /** The buyer token's `iat`, in epoch milliseconds. */
  readonly token_issued_at: number;
}

/** A list of orders. `unknown_cursor` means that the order before its first one is unknown. */
export type OrderList =
  /** At most `limit + 1` orders, newest first by number. */
  | { readonly outcome: "listed"; readonly orders: readonly OrderRecord[] }
  | { readonly outcome: "unknown_cursor" };

/** The checkout page shows these records. */
export interface CheckoutDetails {
  readonly session: SessionRecord;
  readonly order: OrderRecord | null;
  /** The attempt in flight, else the newest one of the order. */
  readonly attempt: AttemptRecord | null;
}

/** Names the tokens of a customer that are valid no longer. */
export interface TokenRevocation extends Partition, Signed {
  readonly customer_keys: readonly string[];
  /** Tokens that were issued before this time are revoked, in epoch milliseconds. */
  readonly not_before: number;
  /** Only the audit log uses it. */
  readonly customer_id: string;
}

/**
 * Keeps orders, payments and subscriptions. A step of `src/steps` writes them, with
 * its events and their deliveries.
 */
export interface OrderStore extends StepStore {
  /** Gives one record by its id. */
  find<Kind extends keyof OrderRecords>(
    kind: Kind,
    partition: Partition,
    id: string,
    client?: unknown,
  ): Promise<OrderRecords[Kind] | null>;
  listOrders(query: OrderQuery): Promise<OrderList>;
  /** Reads the orders and the time from which the buyer's tokens count together. */
  listCustomerOrders(
    query: CustomerOrderQuery,
  ): Promise<OrderList | { readonly outcome: "token_revoked" }>;
  /** Gives the session with its order and current attempt, for the hosted page. */
  findCheckout(
    partition: Partition,
    session_id: string,
    client?: unknown,
  ): Promise<CheckoutDetails | null>;
  /**
   * Revokes a customer's tokens. The time never moves back. It is stored under the
   * first of the keys, and revocations under the other keys move there.
   */
  revokeCustomerTokens(revocation: TokenRevocation): Promise<void>;

  /**
   * Gives at most `limit + 1` refunds, newest first by id. With `succeeded` they are oldest first
   * by that time, then id.
   */
  listRefunds(query: RefundQuery): Promise<readonly RefundRecord[]>;
  /** Gives the money that came for an order, the oldest first. */
  listPayments(partition: Partition, order_id: string): Promise<readonly PaymentRecord[]>;

  /** Gives at most `limit + 1` subscriptions, newest first by id. */
  listSubscriptions(query: SubscriptionQuery): Promise<readonly SubscriptionRecord[]>;

  // The methods below span stores: maintenance and notifications use them.

  /**
   * Gives the attempts that a gateway's message may be about, the newest first:
   * those of the gateway, mode and account that carry one of the references, and
   * the one of the id, whosever it is.
   */
  findAttempts(names: AttemptNames): Promise<readonly AttemptRecord[]>;
  /**
   * Claims rows whose time has come, the oldest first: orders and holds by
   * `sweep_at`, attempts, duplicate payments and refunds by `check_at`, and
   * subscriptions that are to end by the end of their last period, or to be charged by
   * the time of their next charge. Those that are to end are not leased, because ending
   * one twice changes nothing.
   */
  claimWork<Kind extends keyof WorkRecords>(
    kind: Kind,
    claim: WorkClaim,
  ): Promise<readonly WorkRecords[Kind][]>;
  /** Notes that the host's catalog has confirmed or released the order's reservation. */
  settleReservation(partition: Partition, order_id: string): Promise<void>;
  /**
   * Stores an alert about an order, with a notice for the host that is due at its `created_at`: the
   * caller gives a real time. An alert of one type and subject is stored once in a store and mode.
   */
  raiseOrderAlert(alert: AlertRecord): Promise<void>;
}

/**
 * The steps that look over all stores find work that is due, and what a gateway's
 * message is about.
 */
export type OrdersOfAllStores = Pick<OrderStore, "claimWork" | "findAttempts">;
