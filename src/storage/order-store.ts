import type { FailureCode, OrderStatus, PaymentMethod } from "../contract/schemas.ts";
import type { AttemptRecord, OrderRecord, Partition, SessionRecord } from "./records.ts";

/** Who pays, as the hosted page or the host tells it; a tax id is masked before it comes here. */
export interface BuyerFacts {
  /** The host's id of the buyer; null: the session's buyer token, else a new `cus_`. */
  readonly id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly discord_id: string | null;
  readonly tax_id: string | null;
  readonly tax_id_type: "cpf" | "cnpj" | null;
  readonly country: string | null;
}

/** Ids that the caller makes, so that a step repeated after a lost acknowledgement gives the first answer. */
export interface OrderIds {
  readonly order: string;
  readonly customer: string;
  /** One for each line of the session. */
  readonly items: readonly string[];
  /** As many as the step can write events. */
  readonly events: readonly string[];
  readonly alerts: readonly string[];
}

interface OrderCommand extends Partition {
  readonly session_id: string;
  readonly ids: OrderIds;
  readonly now: number;
  /** The buyer's address of the session, shown in `checkout.session.completed`. */
  readonly checkout_url: string;
}

/** One member for each outcome, so that comparing them narrows. Nothing was written. */
type Refusal<Outcome extends string> = Outcome extends string ? { readonly outcome: Outcome } : never;

/** Transaction A of a payment: order pending, holds taken, attempt in flight. */
export interface Submission extends OrderCommand {
  readonly buyer: BuyerFacts;
  readonly attempt: Pick<AttemptRecord, "id" | "gateway" | "method_id" | "idempotency_key" | "expires_at">;
  readonly payment_method_type: PaymentMethod["type"] | null;
}

export type SubmissionResult =
  /** `attempt` is new and to be charged; null: nothing is due, the order is paid already. */
  | { readonly outcome: "submitted"; readonly order: OrderRecord; readonly attempt: AttemptRecord | null }
  /** An attempt is in flight, or the same idempotency key has its result: nothing was started. */
  | { readonly outcome: "attempted"; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  | { readonly outcome: "already_paid"; readonly order: OrderRecord }
  | Refusal<"unknown_session" | "session_expired" | "session_not_open" | "insufficient_stock" | "coupon_invalid">;

/** What became of an attempt: the one way in for page, notification and reconciliation. */
export interface PaymentApplication extends Partition {
  readonly attempt_id: string;
  readonly result: {
    readonly status: "succeeded" | "pending" | "failed";
    readonly reference: string | null;
    readonly redirect_url: string | null;
    readonly amount: number;
    readonly currency: string;
    readonly failure_code: FailureCode | null;
    /** Epoch milliseconds; null leaves the attempt's. */
    readonly expires_at: number | null;
  };
  readonly ids: Pick<OrderIds, "events" | "alerts">;
  readonly now: number;
  readonly checkout_url: string;
}

export type PaymentApplied =
  | {
      readonly outcome: "paid" | "failed" | "pending" | "unchanged" | "duplicate" | "mismatch";
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord;
    }
  | { readonly outcome: "unknown_attempt" };

/** A payment that the host took with its own code. */
export interface Completion extends OrderCommand {
  readonly buyer: BuyerFacts;
  readonly attempt_id: string;
  readonly reference: string;
  readonly status: "paid" | "failed";
  readonly amount: number;
  readonly currency: string;
  readonly payment_method_type: PaymentMethod["type"] | null;
}

export type CompletionResult =
  | { readonly outcome: "paid" | "failed" | "unchanged" | "duplicate"; readonly order: OrderRecord }
  | { readonly outcome: "mismatch"; readonly order: OrderRecord | null }
  | Refusal<"unknown_session" | "session_expired" | "insufficient_stock" | "coupon_invalid">;

/** The buyer gives up a pending order that has no attempt in flight. */
export interface Cancellation extends Partition {
  readonly session_id: string;
  readonly ids: Pick<OrderIds, "events" | "alerts">;
  readonly now: number;
}

export type CancellationResult =
  | { readonly outcome: "canceled" | "unchanged" | "in_flight"; readonly order: OrderRecord }
  | { readonly outcome: "no_order" | "unknown_session" };

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
  { readonly outcome: "listed"; readonly orders: readonly OrderRecord[] } | { readonly outcome: "unknown_cursor" };

/** Each step locks what it reads, decides by `payments/order-machine.ts` and writes order, events and deliveries in one transaction. */
export interface OrderStore {
  findOrder(partition: Partition, id: string): Promise<OrderRecord | null>;
  listOrders(query: OrderQuery): Promise<OrderList>;
  /** Orders and the buyer's not-before in one read. */
  listCustomerOrders(query: CustomerOrderQuery): Promise<OrderList | { readonly outcome: "token_revoked" }>;
  /** Tokens issued before `not_before` (epoch milliseconds) are refused from now on; it never moves back. */
  revokeCustomerTokens(partition: Partition, customer_id: string, not_before: number): Promise<void>;
  submitSession(submission: Submission): Promise<SubmissionResult>;
  applyPayment(application: PaymentApplication): Promise<PaymentApplied>;
  completeSession(completion: Completion): Promise<CompletionResult>;
  cancelOrder(cancellation: Cancellation): Promise<CancellationResult>;
  /** The session's order and its newest attempt, for the hosted page. */
  findCheckout(
    partition: Partition,
    session_id: string,
  ): Promise<{ readonly session: SessionRecord; readonly order: OrderRecord | null; readonly attempt: AttemptRecord | null } | null>;
}
