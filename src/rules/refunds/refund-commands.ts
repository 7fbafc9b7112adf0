import type { EventIds } from "../orders/order-commands.ts";
import type { RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord, Partition } from "../records.ts";

/**
 * The step wrote nothing. Each outcome is a member of its own, so that a comparison
 * narrows it.
 */
type Refusal<Outcome extends string> = Outcome extends string
  ? { readonly outcome: Outcome }
  : never;

/** A provider's message, which counts once, and the money that it is about. */
export interface NamedMoney {
  readonly gateway: string;
  readonly account: string | null;
  /** The provider's id of the money. */
  readonly payment_reference: string;
  readonly notification_id: string;
}

/**
 * Reserves a refund's amount before the gateway moves the money, or books money
 * that the host has moved.
 */
export interface RefundReservation extends Partition {
  readonly order_id: string;
  readonly refund: Pick<RefundRecord, "id" | "reference" | "reason"> & {
    /** Null stands for all that is left. */
    readonly amount: number | null;
  };
  /** True means that the caller says that it has moved the money. */
  readonly moved_by_host: boolean;
  /** True means that the caller says that nobody has moved the money of a refund in doubt. */
  readonly not_moved?: boolean;
  /** The ids of the gateways of this mode that can move a refund. */
  readonly refunding: readonly string[];
  /** True means that the caller sends the creation as soon as the reservation is committed. */
  readonly sent_now: boolean;
  readonly ids: EventIds;
  readonly now: number;
}

/** The result of a refund that somebody asked for. */
export type RefundReserved =
  /**
   * `reserved` means that the gateway moves the money next. `refunded` means that
   * the host has moved it, and `settled` that nobody has. `unchanged` means that the
   * reference was used before, and has this refund.
   */
  | {
      readonly outcome: "reserved" | "refunded" | "settled" | "unchanged";
      readonly order: OrderRecord;
      readonly refund: RefundRecord;
    }
  | Refusal<
      | "invalid_transition"
      | "exceeds_balance"
      | "different_amount"
      | "no_gateway"
      | "no_reference"
      | "not_in_doubt"
      | "unknown_order"
    >;

/** Holds what the gateway says of a refund, in an answer, a look-up or a message. */
export interface RefundReport {
  readonly status: RefundRecord["state"];
  /** The provider's id of the refund. Null means that it gave none. */
  readonly reference: string | null;
  /** The amount is in minor units. Null means that the gateway gave none. */
  readonly amount: number | null;
  readonly failure_reason: string | null;
}

/** What became of a question about one refund, or of its creation. */
export interface RefundSettlement extends Partition {
  readonly order_id: string;
  readonly refund_id: string;
  /**
   * The number of the creation that was sent or asked about: the report of an
   * earlier one counts no more.
   */
  readonly key_attempt: number;
  /**
   * `sending` says that the creation is about to be sent, and `next_key` that it is
   * sent with the next key. With `no_answer` the gateway is asked again later. With
   * `given_up` nobody asks any more, and the owner is told.
   */
  readonly report: RefundReport | "sending" | "next_key" | "no_answer" | "given_up";
  /**
   * True means that the call that made the refund still waits, and its result tells
   * of a refusal.
   */
  readonly within_call: boolean;
  readonly ids: RefundIds;
  readonly now: number;
}

/** The ids of what a provider's word about a refund may write. */
export interface RefundIds extends EventIds {
  /** The id of the record of a refund that was made at the provider. */
  readonly refund: string;
}

/** The effect of a refund's report on its order. */
export type RefundSettled =
  | {
      readonly outcome: "refunded" | "pending" | "failed" | "unchanged";
      readonly order: OrderRecord;
      readonly refund: RefundRecord;
    }
  | Refusal<"unknown_order" | "unknown_refund">;

/** A provider's message about a refund, ours or one that was made at the provider. */
export interface RefundMessage extends Partition {
  readonly order_id: string;
  readonly money: NamedMoney;
  /** The library's id of the refund (`rf_…`). Null when the message does not name it. */
  readonly refund_id: string | null;
  readonly currency: string;
  readonly report: RefundReport & { readonly reference: string; readonly amount: number };
  readonly ids: RefundIds;
  readonly now: number;
}

/** The effect of a provider's message about a refund on its order. */
export type RefundMessageResult =
  | { readonly outcome: "applied" | "unchanged" | "mismatch"; readonly order: OrderRecord }
  | Refusal<"unknown_payment">;
