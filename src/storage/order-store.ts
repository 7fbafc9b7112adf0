import type { OrderStatus } from "../contract/schemas.ts";
import type {
  Closing,
  ClosingResult,
  Completion,
  CompletionResult,
  DisputeClosing,
  DisputeOpening,
  DisputeResult,
  Failing,
  FailingResult,
  PaymentApplication,
  PaymentApplied,
  RefundReservation,
  RefundReserved,
  RefundSettled,
  RefundSettlement,
  Renewal,
  RenewalResult,
  Submission,
  SubmissionResult,
  SubscriptionCancel,
  SubscriptionCanceled,
} from "../rules/order-commands.ts";
import type { AttemptRecord, RefundRecord, SubscriptionRecord } from "../rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../rules/records.ts";

export interface SubscriptionQuery extends Partition {
  readonly customer_id?: string;
  readonly status?: SubscriptionRecord["status"];
  /** Id of the last one seen; newest first. */
  readonly after?: string;
  readonly limit: number;
}

/** What maintenance takes in hand: a lease, so that several processes share the work. */
export interface WorkClaim {
  readonly now: number;
  /** When it is due again, unless it is settled until then. */
  readonly until: number;
  readonly limit: number;
}

export interface OrderQuery extends Partition {
  readonly status?: OrderStatus;
  /** Id of the last order seen. */
  readonly after?: string;
  readonly limit: number;
}

export interface CustomerOrderQuery extends Omit<OrderQuery, "status"> {
  readonly customer_id: string;
  /** Epoch milliseconds of the buyer token's `iat`. */
  readonly token_issued_at: number;
}

export type OrderList =
  /** Newest first by number, at most `limit + 1`. */
  | { readonly outcome: "listed"; readonly orders: readonly OrderRecord[] }
  | { readonly outcome: "unknown_cursor" };

export interface CheckoutState {
  readonly session: SessionRecord;
  readonly order: OrderRecord | null;
  readonly attempt: AttemptRecord | null;
}

/** Each step locks what it reads, decides by `payments/order-machine.ts` and writes order, events and deliveries in one transaction. */
export interface OrderStore {
  findOrder(partition: Partition, id: string): Promise<OrderRecord | null>;
  listOrders(query: OrderQuery): Promise<OrderList>;
  /** Orders and the buyer's not-before in one read. */
  listCustomerOrders(
    query: CustomerOrderQuery,
  ): Promise<OrderList | { readonly outcome: "token_revoked" }>;
  /** Tokens issued before `not_before` (epoch milliseconds) are refused from now on; it never moves back. */
  revokeCustomerTokens(
    partition: Partition,
    customer_id: string,
    not_before: number,
  ): Promise<void>;
  submitSession(submission: Submission): Promise<SubmissionResult>;
  applyPayment(application: PaymentApplication): Promise<PaymentApplied>;
  completeSession(completion: Completion): Promise<CompletionResult>;
  closeSession(closing: Closing): Promise<ClosingResult>;
  failOrder(failing: Failing): Promise<FailingResult>;
  reserveRefund(reservation: RefundReservation): Promise<RefundReserved>;
  settleRefund(settlement: RefundSettlement): Promise<RefundSettled>;
  openDispute(opening: DisputeOpening): Promise<DisputeResult>;
  closeDispute(closing: DisputeClosing): Promise<DisputeResult>;
  /** The order's reservation in the host's catalog was confirmed or released. */
  settleReservation(partition: Partition, order_id: string): Promise<void>;
  renew(renewal: Renewal): Promise<RenewalResult>;
  cancelSubscription(cancel: SubscriptionCancel): Promise<SubscriptionCanceled>;
  findSubscription(partition: Partition, id: string): Promise<SubscriptionRecord | null>;
  /** Newest first by id, at most `limit + 1`. */
  listSubscriptions(query: SubscriptionQuery): Promise<readonly SubscriptionRecord[]>;
  /** The payment that a gateway's message is about, by the gateway's reference or by our id, over all stores. */
  findAttempt(
    gateway: string,
    livemode: boolean,
    by: { readonly reference: string; readonly id: string | null },
  ): Promise<AttemptRecord | null>;

  // Maintenance spans stores; each claim leases its rows until `until`.
  claimOrders(claim: WorkClaim): Promise<readonly OrderRecord[]>;
  /** In flight, and duplicates to be refunded. */
  claimAttempts(claim: WorkClaim): Promise<readonly AttemptRecord[]>;
  claimRefunds(claim: WorkClaim): Promise<readonly RefundRecord[]>;
  /** Subscriptions whose last period is over. */
  claimSubscriptions(claim: WorkClaim): Promise<readonly SubscriptionRecord[]>;
  /** A duplicate's money is back, or (`duplicate`) nobody can return it but the owner, who was told. */
  settleDuplicate(
    partition: Partition,
    attempt_id: string,
    state: "returned" | "duplicate",
    now: number,
  ): Promise<void>;
  /** The session's order and its newest attempt, for the hosted page. */
  findCheckout(partition: Partition, session_id: string): Promise<CheckoutState | null>;
}
