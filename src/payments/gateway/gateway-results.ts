import type { FailureCode } from "../../contract/schemas.ts";
import type { PaymentFee } from "../../rules/payments/fees/payment-fee.ts";
import type { NextAction } from "../../rules/payments/next-action.ts";

// What a provider tells: the answers of a gateway, and the facts of its messages.

/**
 * How a payment stands at the provider now. Answers, look-ups and notifications have this one
 * shape.
 */
export interface PaymentResult {
  /** `requires_action` means that the buyer must do what `next_action` says. */
  readonly status: "succeeded" | "pending" | "requires_action" | "failed";
  /**
   * The provider's id of what was asked for: Stripe's `cs_…`, a Pix `txid`. Every id of a provider
   * has at most 500 characters.
   */
  readonly reference: string;
  /** The provider's id of the money: `pi_…`, `endToEndId`. Left out, `reference` names it. */
  readonly payment_reference?: string | undefined;
  /** In minor units: what came when the payment succeeded, else what was asked for. */
  readonly amount: number;
  /** An ISO 4217 code in upper case. */
  readonly currency: string;
  /**
   * Further money that came for the same `reference`, e.g. a code that was paid twice. Told with
   * `succeeded` alone. Money that was told of before counts once.
   */
  readonly also_received?:
    | readonly {
        /** The provider's id of the money. */
        readonly payment_reference: string;
        /** The amount in minor units, of the same currency. */
        readonly amount: number;
      }[]
    | undefined;
  readonly next_action?: NextAction | undefined;
  /** Why a `failed` payment failed. It is `declined` when it is left out. */
  readonly failure_code?: FailureCode | undefined;
  /**
   * The provider's own code of a refusal, e.g. `insufficient_funds`: at most 64 letters, digits,
   * `_`, `-` and `.`. The owner sees it. A code of Stripe's list is also explained, to the owner
   * and to the buyer (docs/contract/payments.md#payments).
   */
  readonly decline_code?: string | undefined;
  /**
   * The provider's words about a failure. Buyers never see them. They go to `onError` when the
   * failure code is `error`. They also go there when the payment succeeded, which they do not undo.
   */
  readonly failure_reason?: string | undefined;
  /**
   * True with a failed `chargeSaved`: the bank asks for the buyer, or the method never
   * pays again. The buyer is asked to pay, and it is not charged any more.
   */
  readonly needs_buyer?: boolean | undefined;
  /** What was saved for later periods, when the request said `save`. */
  readonly saved_method?: SavedMethod | undefined;
  /**
   * What the provider keeps of the money, told with `succeeded` alone. Left out, it is not told:
   * say 0 where the payment costs nothing. A later report may bring it.
   */
  readonly fee?: PaymentFee | undefined;
  /**
   * The time until which the buyer can pay, in epoch milliseconds. In a look-up it may lie in the
   * past.
   */
  readonly expires_at?: number | undefined;
}

/** A means of payment that a provider keeps for later charges. */
export interface SavedMethod {
  /** The provider's id of it. Stored sealed, and shown to nobody. */
  readonly reference: string;
  /** What it is, in the provider's word: `card`. */
  readonly kind: string;
  /** What the buyer knows it by: `Visa ···· 4242`. */
  readonly label: string;
  /** The end of its last valid month, in epoch milliseconds. */
  readonly expires_at?: number | undefined;
}

/** How a refund stands at the provider. */
export interface GatewayRefund {
  readonly status: "succeeded" | "pending" | "failed";
  /** The provider's id of the refund. */
  readonly reference: string | null;
  /** In minor units. */
  readonly amount?: number | undefined;
  readonly failure_reason?: string | undefined;
}

/** Says that a payment changed. */
export interface PaymentFact extends PaymentResult {
  readonly type: "payment";
  /**
   * The library's id of the payment (`pay_…`), where the provider hands it back. It only finds the
   * payment.
   */
  readonly payment_id?: string | undefined;
}

/** Says that a refund changed, or was made at the provider. */
export interface RefundFact {
  readonly type: "refund";
  readonly status: "succeeded" | "pending" | "failed";
  /** The library's id of the refund (`rf_…`), where the provider hands it back. */
  readonly refund_id?: string | undefined;
  /** The provider's id of the refund. */
  readonly reference: string;
  /** The provider's id of the money that goes back. */
  readonly payment_reference: string;
  /** In minor units. */
  readonly amount: number;
  /** An ISO 4217 code in upper case. */
  readonly currency: string;
  readonly failure_reason?: string | undefined;
}

/** Says that the buyer's bank takes the money back, or asks about it. */
export interface DisputeOpenedFact {
  readonly type: "dispute_opened";
  /** The provider's id of the dispute. */
  readonly reference: string;
  readonly payment_reference: string;
  /** In minor units. */
  readonly amount: number;
  readonly reason?: string | undefined;
  /** The time until which evidence is accepted, in epoch milliseconds. */
  readonly due_by?: number | undefined;
  /**
   * True marks a question of the bank that has moved no money: it raises an alert
   * and leaves the order.
   */
  readonly inquiry?: boolean | undefined;
}

/** Says that a dispute has ended. */
export interface DisputeClosedFact {
  readonly type: "dispute_closed";
  /** The provider's id of the dispute. */
  readonly reference: string;
  readonly payment_reference: string;
  readonly result: "won" | "lost";
  /** True marks an end without a verdict: it counts for a dispute that was told of. */
  readonly known_only?: boolean | undefined;
}

/**
 * Says that a saved means of payment pays no more, because the buyer or the bank has ended it.
 * The buyer is asked to pay, as after `needs_buyer`.
 */
export interface SavedMethodGoneFact {
  readonly type: "saved_method_gone";
  /** The library's id (`pay_…`) of the payment that saved the method. */
  readonly payment_id: string;
}

/**
 * An agreement of a buyer with the provider: it allows the charges of a subscription, and was made
 * outside a payment. Look-ups and notifications give it in this one shape.
 */
export interface Agreement {
  readonly store_id: string;
  /** The library's id of the subscription (`sub_…`), as the provider hands it back. */
  readonly subscription_id: string;
  /** `pending` waits for the buyer. `over` means that it pays no more, or never will. */
  readonly status: "pending" | "active" | "over";
  /**
   * The one amount that may be charged, in minor units of the subscription's currency. Left out
   * where the buyer allows several. An agreement to another amount than the subscription costs is
   * not used: `forgetSaved` ends it, and the owner gets the alert `agreement_mismatch`.
   */
  readonly amount?: number | undefined;
  /** What `chargeSaved` charges while the agreement is active. */
  readonly saved_method: SavedMethod;
  /** What the buyer has agreed to, and since when, in epoch milliseconds. */
  readonly consent: { readonly text: string; readonly at: number };
}

/** Says that an agreement has changed. */
export interface AgreementFact extends Agreement {
  readonly type: "agreement";
}

/**
 * Stands for a part of a message that cannot be read now. The other facts of the
 * message are applied, and the answer makes the provider send the whole message
 * again.
 */
export interface UnreadFact {
  readonly type: "unread";
  /** The cause is passed to `onError`. */
  readonly cause?: unknown;
}

/** One fact of a provider's message. A message may hold several; each counts once. */
export type GatewayNotification = {
  /** Unique for each fact: a repeated id changes nothing. */
  readonly notification_id: string;
  /**
   * The message came for this provider account. It is null or left out where there
   * is one for all stores. It must equal the payment's.
   */
  readonly account?: string | null | undefined;
} & (
  | PaymentFact
  | RefundFact
  | DisputeOpenedFact
  | DisputeClosedFact
  | SavedMethodGoneFact
  | AgreementFact
  | UnreadFact
);
