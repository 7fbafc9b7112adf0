import type { FailureCode, PaymentMethod } from "../../contract/schemas.ts";
import type { PaymentFee } from "../payments/fees/payment-fee.ts";
import type { NextAction } from "../payments/next-action.ts";
import type { AttemptRecord, SavedMethodRecord } from "../payments/payment-records.ts";
import type { OrderRecord, Partition } from "../records.ts";
import type { RenewedPeriod } from "../subscriptions/renewed-period.ts";
import type { NotedMessage } from "./order-changes.ts";

/** Who pays, as the hosted page or the host tells it. A tax id is masked before it comes here. */
export interface BuyerFacts {
  /**
   * The host's id of the buyer. Null stands for that of the session's buyer
   * token, or for a new `cus_`.
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
  /** There is one for each line of the session. */
  readonly items: readonly string[];
  /** There are at least as many as the step can write events. */
  readonly events: readonly string[];
  readonly alerts: readonly string[];
  /** The id of the subscription that a first payment may create. */
  readonly subscription: string;
}

/** The fields of every step that can make an order of a session. */
export interface OrderCommand extends Partition {
  readonly session_id: string;
  readonly ids: OrderIds;
  readonly now: number;
  /** True means that the host's own catalog counts the pieces, and must hear how the order ends. */
  readonly external_stock: boolean;
}

/**
 * The step wrote nothing. Each outcome is a member of its own, so that a comparison
 * narrows it.
 */
export type Refusal<Outcome extends string> = Outcome extends string
  ? { readonly outcome: Outcome }
  : never;

/** What the host's own catalog answers about the session's goods. */
export interface SourceAnswer {
  /**
   * Absent when the products are in the storage's own tables, and the step
   * judges them there.
   */
  readonly from_source?: "available" | "product_unavailable" | "insufficient_stock";
}

/** Starts a payment: the order becomes pending, its goods are held, the attempt is in flight. */
export interface Submission extends OrderCommand, SourceAnswer {
  readonly buyer: BuyerFacts;
  readonly attempt: Pick<
    AttemptRecord,
    "id" | "gateway" | "account" | "method_id" | "idempotency_key" | "expires_at" | "consent"
  >;
  readonly payment_method_type: PaymentMethod["type"] | null;
  /** True when the buyer leaves the provider's element, and pays on the provider's page. */
  readonly leaves_element?: boolean;
  /**
   * True means that the host's own catalog has reserved the pieces: the order is
   * written only over a hold that stands, because its end gives them back.
   */
  readonly needs_hold?: boolean;
  /** The version of the session that the buyer has seen and the caller has read. */
  readonly seen_version?: number;
  /**
   * The gateway has definitely canceled this attempt in flight, and the new one
   * takes its place.
   */
  readonly replaces?: {
    readonly attempt_id: string;
    readonly reference: string | null;
    readonly failure_code: FailureCode;
  } | null;
}

/** The result of the start of a payment. */
export type SubmissionResult =
  /** The caller charges the new `attempt`. With null nothing was due, and the order is paid. */
  | {
      readonly outcome: "submitted";
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord | null;
    }
  /**
   * A payment of another method, or in an element that the buyer leaves, is in flight. When the
   * gateway has definitely canceled it, the caller submits again with `replaces`.
   */
  | { readonly outcome: "to_cancel"; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  /** No payment starts, because one is in flight, or this idempotency key has its result. */
  | { readonly outcome: "attempted"; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  | { readonly outcome: "already_paid"; readonly order: OrderRecord }
  | Refusal<
      | "unknown_session"
      | "session_expired"
      | "session_not_open"
      | "session_changed"
      | "product_unavailable"
      | "insufficient_stock"
      | "coupon_invalid"
      | "too_many_attempts"
      /** The hold that `needs_hold` asks for is gone: reserve again. */
      | "hold_lost"
    >;

/** What became of an attempt, whether the page, a notification or maintenance reports it. */
export interface PaymentApplication extends Partition {
  readonly attempt_id: string;
  /** The attempt's session, which never changes. */
  readonly session_id: string | null;
  readonly result: {
    /** `unknown` means that the gateway gave no answer that tells. */
    readonly status: "succeeded" | "pending" | "failed" | "unknown";
    readonly reference: string | null;
    readonly payment_reference: string | null;
    readonly next_action: NextAction | null;
    readonly amount: number;
    readonly currency: string;
    readonly failure_code: FailureCode | null;
    /** The provider's own code of a refusal. */
    readonly decline_code?: string;
    /** What the provider keeps of the money, where it tells. */
    readonly fee?: PaymentFee;
    /** True when the saved method does not pay any more without the buyer. */
    readonly needs_buyer?: boolean | undefined;
    /** In epoch milliseconds. Null keeps the attempt's time. */
    readonly expires_at: number | null;
  };
  /** The period that the attempt pays. Only the charge of a renewal has it. */
  readonly renews?: RenewedPeriod | undefined;
  /** The means of payment that came with the money, for later periods. */
  readonly saved?: SavedMethodRecord | undefined;
  readonly ids: EventIds & Pick<OrderIds, "subscription">;
  readonly now: number;
  readonly external_stock: boolean;
  /** True means that the call that creates the payment has ended without an answer. */
  readonly ends_call?: boolean;
  /** True means that the gateway sends duplicate payments back without being asked. */
  readonly returns_duplicates?: boolean;
  /** The gateway's message that brings the result. A repeat of it changes nothing. */
  readonly message?: Omit<NotedMessage, "now">;
}

/** The ids for the events and alerts that a step may write. */
export type EventIds = Pick<OrderIds, "events" | "alerts">;

/** The effect of an attempt's result on its order. */
export type PaymentApplied =
  | {
      readonly outcome: "paid" | "failed" | "pending" | "unchanged" | "duplicate" | "mismatch";
      readonly order: OrderRecord;
      readonly attempt: AttemptRecord;
    }
  | { readonly outcome: "unknown_attempt" };

/** Who settles the order's pieces in the host's own catalog, once the order has its result. */
export interface ReservationSettlement {
  /**
   * True means that the next maintenance settles them. Otherwise the caller does,
   * at once after the commit.
   */
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
  /**
   * True means that the host's own catalog has too few pieces. It refuses nothing,
   * but raises an alert.
   */
  readonly short_at_source?: boolean;
  /** Counts with status `failed` only. It is `declined` when left out. */
  readonly failure_code?: FailureCode;
}

/** The result of a payment that the host's own code took. */
export type CompletionResult =
  | { readonly outcome: "paid" | "failed" | "unchanged" | "duplicate"; readonly order: OrderRecord }
  | { readonly outcome: "mismatch"; readonly order: OrderRecord | null }
  /** `reference_taken` means that another order has a payment of this reference. */
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
 * The result of the end of a session's pending order. `in_flight` means that a
 * payment may still come, so nothing was closed.
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

/** The result of a failure that the host has reported. */
export type FailingResult =
  | { readonly outcome: "failed" | "unchanged" | "invalid_transition"; readonly order: OrderRecord }
  | Refusal<"unknown_order">;
