import type { FailureCode, PaymentMethod } from "../contract/schemas.ts";
import type { NextAction } from "./next-action.ts";
import type { AttemptRecord, SubscriptionRecord } from "./payment-records.ts";
import type { OrderRecord, Partition } from "./records.ts";

/**
 * Who pays, as the hosted page or the host tells it. A tax id is masked before it
 * comes here.
 */
export interface BuyerFacts {
  /**
   * The host's id of the buyer. Null: that of the session's buyer token, or a new
   * `cus_`.
   */
  readonly id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly discord_id: string | null;
  readonly tax_id: string | null;
  readonly tax_id_type: "cpf" | "cnpj" | null;
  readonly country: string | null;
}

/**
 * The caller makes the ids, so that a step that is repeated after a lost
 * acknowledgement gives the first answer.
 */
export interface OrderIds {
  readonly order: string;
  readonly customer: string;
  /** One for each line of the session. */
  readonly items: readonly string[];
  /** At least as many as the step can write events. */
  readonly events: readonly string[];
  readonly alerts: readonly string[];
  /** The subscription that a first payment may create. */
  readonly subscription: string;
}

/** What every step has in common that can make an order of a session. */
export interface OrderCommand extends Partition {
  readonly session_id: string;
  readonly ids: OrderIds;
  readonly now: number;
  /** True: the host's own catalog counts the pieces, and must hear how the order ends. */
  readonly external_stock: boolean;
}

/**
 * The step wrote nothing. Each outcome is a member of its own, so that a comparison
 * narrows it.
 */
type Refusal<Outcome extends string> = Outcome extends string
  ? { readonly outcome: Outcome }
  : never;

/** What the host's own catalog says of the session's goods. */
export interface SourceAnswer {
  /** Absent: the products are in the storage's own tables, and the step judges them there. */
  readonly from_source?: "available" | "product_unavailable" | "insufficient_stock";
}

/**
 * Starts a payment: the order becomes pending, its goods are held, the attempt is
 * in flight.
 */
export interface Submission extends OrderCommand, SourceAnswer {
  readonly buyer: BuyerFacts;
  readonly attempt: Pick<
    AttemptRecord,
    "id" | "gateway" | "account" | "method_id" | "idempotency_key" | "expires_at"
  >;
  readonly payment_method_type: PaymentMethod["type"] | null;
  /**
   * The attempt in flight that the gateway has definitely canceled: this one takes
   * its place.
   */
  readonly replaces?: {
    readonly attempt_id: string;
    readonly reference: string | null;
    readonly failure_code: FailureCode;
  } | null;
}

/** What became of the start of a payment. */
export type SubmissionResult =
  /** The caller charges the new `attempt`. Null: nothing was due, so the order is paid. */
  | {
      readonly outcome: "submitted";
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord | null;
    }
  /**
   * A payment of another method is in flight. When the gateway has definitely
   * canceled it, the caller submits again with `replaces`.
   */
  | { readonly outcome: "to_cancel"; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  /** No payment starts: one is in flight, or this idempotency key has its result. */
  | { readonly outcome: "attempted"; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  | { readonly outcome: "already_paid"; readonly order: OrderRecord }
  | Refusal<
      | "unknown_session"
      | "session_expired"
      | "session_not_open"
      | "product_unavailable"
      | "insufficient_stock"
      | "coupon_invalid"
    >;

/** What became of an attempt, whether the page, a notification or maintenance tells it. */
export interface PaymentApplication extends Partition {
  readonly attempt_id: string;
  readonly result: {
    /** `unknown`: the gateway gave no answer that tells. */
    readonly status: "succeeded" | "pending" | "failed" | "unknown";
    readonly reference: string | null;
    readonly payment_reference: string | null;
    readonly next_action: NextAction | null;
    readonly amount: number;
    readonly currency: string;
    readonly failure_code: FailureCode | null;
    /** Epoch milliseconds. Null keeps the attempt's time. */
    readonly expires_at: number | null;
  };
  readonly ids: EventIds & Pick<OrderIds, "subscription">;
  readonly now: number;
  readonly external_stock: boolean;
  /** True: the call that creates the payment has ended without an answer. */
  readonly ends_call?: boolean;
  /** True: the gateway sends duplicate payments back without being asked. */
  readonly returns_duplicates?: boolean;
  /**
   * The notification's own id, unique for a store and gateway. A repeat changes
   * nothing.
   */
  readonly notification_id?: string;
}

/** The ids for the events and alerts that a step may write. */
export type EventIds = Pick<OrderIds, "events" | "alerts">;

/** What the result of an attempt did to its order. */
export type PaymentApplied =
  | {
      readonly outcome: "paid" | "failed" | "pending" | "unchanged" | "duplicate" | "mismatch";
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord;
    }
  | { readonly outcome: "unknown_attempt" };

/** Who settles the order's pieces in the host's own catalog, once the order has its result. */
export interface ReservationSettlement {
  /** True: the next maintenance. Otherwise the caller does, at once after the commit. */
  readonly settled_later?: boolean;
}

/** A payment that the host's own code took. */
export interface Completion extends OrderCommand, ReservationSettlement {
  readonly buyer: BuyerFacts;
  readonly attempt_id: string;
  readonly reference: string;
  readonly status: "paid" | "failed";
  readonly amount: number;
  readonly currency: string;
  readonly payment_method_type: PaymentMethod["type"] | null;
  /** True: the host's own catalog has too few pieces. It refuses nothing, but raises an alert. */
  readonly short_at_source?: boolean;
  /** Counts with status `failed` only. It is `declined` when left out. */
  readonly failure_code?: FailureCode;
}

/** What became of a payment that the host's own code took. */
export type CompletionResult =
  | { readonly outcome: "paid" | "failed" | "unchanged" | "duplicate"; readonly order: OrderRecord }
  | { readonly outcome: "mismatch"; readonly order: OrderRecord | null }
  /** `reference_taken`: another order has a payment of this reference. */
  | Refusal<
      | "unknown_session"
      | "session_expired"
      | "insufficient_stock"
      | "coupon_invalid"
      | "reference_taken"
    >;

/**
 * Ends a pending order that has no attempt in flight, because the buyer gave up, or
 * because the host or time closes the session.
 */
export interface Closing extends Partition {
  readonly session_id: string;
  readonly reason: "canceled" | "expired";
  /** True closes an open session now. False leaves it to its own `expires_at`. */
  readonly close_session: boolean;
  readonly ids: EventIds;
  readonly now: number;
}

/**
 * What became of the end of a session's pending order. `in_flight`: a payment may
 * still come, so nothing was closed.
 */
export type ClosingResult =
  | { readonly outcome: "closed" | "unchanged" | "in_flight"; readonly order: OrderRecord }
  | { readonly outcome: "no_order" | "unknown_session" };

/**
 * The host says that the order's payment failed for good. Attempts in flight end
 * with it, but a success that comes late still pays the order.
 */
export interface Failing extends Partition, ReservationSettlement {
  readonly order_id: string;
  readonly failure_code: FailureCode;
  readonly ids: EventIds;
  readonly now: number;
}

/** What became of the failure that the host has reported. */
export type FailingResult =
  | { readonly outcome: "failed" | "unchanged" | "invalid_transition"; readonly order: OrderRecord }
  | Refusal<"unknown_order">;

/**
 * How the payment of a renewal ended. It counts once for a subscription and period
 * start.
 */
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

/** What the payment of a renewal did to its subscription. */
export type RenewalResult =
  | {
      /**
       * `duplicate`: other money has paid the period. `after_end`: the money came
       * after the subscription's end, and `order` is its latest one.
       */
      readonly outcome: "renewed" | "failed" | "unchanged" | "duplicate" | "after_end";
      readonly subscription: SubscriptionRecord;
      readonly order: OrderRecord;
    }
  | {
      readonly outcome: "invalid_transition" | "unknown_period" | "mismatch";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription" | "reference_taken">;

/**
 * `now` ends access at once. `at_period_end` marks the subscription to end with its
 * period, and `ending` ends one that is marked once that period is over.
 */
export interface SubscriptionCancel extends Partition {
  readonly subscription_id: string;
  readonly when: "now" | "at_period_end" | "ending";
  readonly ids: EventIds;
  readonly now: number;
}

/**
 * What became of the cancellation. `scheduled`: the subscription ends with its
 * period.
 */
export type SubscriptionCanceled =
  | {
      readonly outcome: "canceled" | "scheduled" | "unchanged";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription">;
