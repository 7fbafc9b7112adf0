import type { FailureCode, PaymentMethod } from "../contract/schemas.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "./payment-records.ts";
import type { OrderRecord, Partition } from "./records.ts";

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
  /** For the subscription that a first payment creates. */
  readonly subscription: string;
}

export interface OrderCommand extends Partition {
  readonly session_id: string;
  readonly ids: OrderIds;
  readonly now: number;
  /** The pieces are counted in the host's own catalog, which is to be told how the order ends. */
  readonly external_stock: boolean;
}

/** One member for each outcome, so that comparing them narrows. Nothing was written. */
type Refusal<Outcome extends string> = Outcome extends string
  ? { readonly outcome: Outcome }
  : never;

/** Transaction A of a payment: order pending, holds taken, attempt in flight. */
export interface Submission extends OrderCommand {
  readonly buyer: BuyerFacts;
  readonly attempt: Pick<
    AttemptRecord,
    "id" | "gateway" | "method_id" | "idempotency_key" | "expires_at"
  >;
  readonly payment_method_type: PaymentMethod["type"] | null;
}

export type SubmissionResult =
  /** `attempt` is new and to be charged; null: nothing is due, the order is paid already. */
  | {
      readonly outcome: "submitted";
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord | null;
    }
  /** An attempt is in flight, or the same idempotency key has its result: nothing was started. */
  | { readonly outcome: "attempted"; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  | { readonly outcome: "already_paid"; readonly order: OrderRecord }
  | Refusal<
      | "unknown_session"
      | "session_expired"
      | "session_not_open"
      | "insufficient_stock"
      | "coupon_invalid"
    >;

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
  readonly ids: EventIds & Pick<OrderIds, "subscription">;
  readonly now: number;
  readonly external_stock: boolean;
  /** A notification's own id, unique per store and gateway: a repeat changes nothing. */
  readonly notification_id?: string;
}

export type EventIds = Pick<OrderIds, "events" | "alerts">;

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
  /** With status `failed`; `declined` by default. */
  readonly failure_code?: FailureCode;
}

export type CompletionResult =
  | { readonly outcome: "paid" | "failed" | "unchanged" | "duplicate"; readonly order: OrderRecord }
  | { readonly outcome: "mismatch"; readonly order: OrderRecord | null }
  | Refusal<"unknown_session" | "session_expired" | "insufficient_stock" | "coupon_invalid">;

/** A pending order without an attempt in flight ends: the buyer gives up, the host or time closes the session. */
export interface Closing extends Partition {
  readonly session_id: string;
  readonly reason: "canceled" | "expired";
  /** Closes an open session now; otherwise `expired` is judged by its own time. */
  readonly close_session: boolean;
  readonly ids: EventIds;
  readonly now: number;
}

export type ClosingResult =
  | { readonly outcome: "closed" | "unchanged" | "in_flight"; readonly order: OrderRecord }
  | { readonly outcome: "no_order" | "unknown_session" };

/** The host's own word on an order: its payment failed for good. Attempts in flight end with it; a late success still counts. */
export interface Failing extends Partition {
  readonly order_id: string;
  readonly failure_code: FailureCode;
  readonly ids: EventIds;
  readonly now: number;
}

export type FailingResult =
  | { readonly outcome: "failed" | "unchanged" | "invalid_transition"; readonly order: OrderRecord }
  | Refusal<"unknown_order">;

/** Transaction A of a refund: the amount is reserved. With a gateway that cannot refund the host has moved the money, and it is booked at once. */
export interface RefundReservation extends Partition {
  readonly order_id: string;
  readonly refund: Pick<RefundRecord, "id" | "reference" | "reason"> & {
    /** Null: all that is left. */ readonly amount: number | null;
  };
  /** Gateways of this mode that move refunds themselves. */
  readonly refunding: readonly string[];
  readonly ids: EventIds;
  readonly now: number;
  readonly check_at: number;
}

export type RefundReserved =
  /** `reserved`: to be moved by the gateway. `refunded`, `failed`: the result of this reference. */
  | {
      readonly outcome: "reserved" | "refunded" | "failed";
      readonly order: OrderRecord;
      readonly refund: RefundRecord;
    }
  | Refusal<"invalid_transition" | "exceeds_balance" | "different_amount" | "unknown_order">;

/** Transaction B: booked, or the reserve is freed. */
export interface RefundSettlement extends Partition {
  readonly order_id: string;
  readonly refund_id: string;
  readonly succeeded: boolean;
  readonly ids: EventIds;
  readonly now: number;
}

export type RefundSettled =
  | {
      readonly outcome: "refunded" | "failed" | "unchanged";
      readonly order: OrderRecord;
      readonly refund: RefundRecord;
    }
  | Refusal<"unknown_order" | "unknown_refund">;

export interface DisputeOpening extends Partition {
  readonly order_id: string;
  readonly dispute: Pick<DisputeRecord, "id" | "amount" | "reason" | "due_by">;
  readonly ids: EventIds;
  readonly now: number;
}

export interface DisputeClosing extends Partition {
  readonly order_id: string;
  readonly dispute_id: string;
  readonly result: "won" | "lost";
  readonly now: number;
}

export type DisputeResult =
  | {
      readonly outcome: "opened" | "closed" | "unchanged" | "invalid_transition";
      readonly order: OrderRecord;
    }
  | Refusal<"unknown_order" | "unknown_dispute">;

/** A renewal's payment, paid or failed. Idempotent by (subscription, period start). */
export interface Renewal extends Partition {
  readonly subscription_id: string;
  readonly period_start: number;
  readonly paid: boolean;
  readonly failure_code: FailureCode;
  readonly reference: string;
  readonly attempt_id: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly ids: EventIds & Pick<OrderIds, "order" | "items">;
  readonly now: number;
}

export type RenewalResult =
  | {
      readonly outcome: "renewed" | "failed" | "unchanged";
      readonly subscription: SubscriptionRecord;
      readonly order: OrderRecord;
    }
  | {
      readonly outcome: "invalid_transition" | "unknown_period" | "mismatch";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription">;

/** `at_period_end` sets the mark; otherwise access ends now. `ending`: the period is over, the mark takes effect. */
export interface SubscriptionCancel extends Partition {
  readonly subscription_id: string;
  readonly when: "now" | "at_period_end" | "ending";
  readonly ids: EventIds;
  readonly now: number;
}

export type SubscriptionCanceled =
  | {
      readonly outcome: "canceled" | "scheduled" | "unchanged";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription">;
