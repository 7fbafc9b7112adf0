import type { z } from "zod";
import type {
  FailureCode,
  PaymentMethod,
  ProductOption,
  RefundReason,
  Subscription,
} from "../../contract/schemas.ts";
import type { OrderRecord, Partition, SessionRecord } from "../records.ts";
import type { RenewedPeriod } from "../subscriptions/renewed-period.ts";
import type { PaymentFee } from "./fees/payment-fee.ts";
import type { NextAction } from "./next-action.ts";

/** Why an attempt failed. `replaced`: a newer attempt of the order has its reference now. */
export type AttemptFailure = FailureCode | "replaced";

/** One attempt to pay an order through a gateway, or by the host's own code. */
export interface AttemptRecord extends Partition {
  /** The id begins with `pay_`. The gateway gets it as idempotency key. */
  readonly id: string;
  readonly order_id: string;
  readonly session_id: string | null;
  readonly gateway: string;
  /** The store's account at the provider. Null means that the host has one for all stores. */
  readonly account: string | null;
  readonly method_id: string | null;
  /**
   * The order shows this as its method when this attempt pays it. Null keeps what
   * it shows already.
   */
  readonly method_type: PaymentMethod["type"] | null;
  /**
   * `unknown` means that it has no result, and its order does not wait for it.
   * `duplicate` means that it paid an order that was paid. `returned` means that
   * its money went back.
   */
  readonly state: "in_flight" | "unknown" | "succeeded" | "failed" | "duplicate" | "returned";
  /** The provider's id of what was asked for. */
  readonly reference: string | null;
  /** The provider's id of the money, once it came under an id of its own. */
  readonly payment_reference: string | null;
  readonly next_action: NextAction | null;
  readonly amount: number;
  readonly currency: string;
  /** The amount that came, as the provider says. Null until money came. */
  readonly received_amount: number | null;
  readonly received_currency: string | null;
  readonly failure_code: AttemptFailure | null;
  /** The provider's own code of the refusal, where it told one. */
  readonly decline_code?: string;
  /** What the provider keeps of the money. Absent where it did not tell. */
  readonly fee?: PaymentFee;
  readonly idempotency_key: string | null;
  /** Until then, an attempt without a result keeps its order pending. */
  readonly expires_at: number;
  /** Until then, the call that creates the payment may still be on its way to the provider. */
  readonly call_ends_at: number;
  /**
   * The time at which maintenance asks the gateway for the result. Null when there is nothing to
   * ask.
   */
  readonly check_at: number | null;
  /** The number of times that maintenance has asked since the attempt became `unknown`. */
  readonly asked: number;
  /** The words by which the buyer let the means of payment be kept for later periods. */
  readonly consent?: string;
  /** The period that the attempt pays. Only the charge of a renewal has it. */
  readonly renews?: RenewedPeriod;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A means of payment that the buyer has let us keep, as the gateway knows it. */
export interface SavedMethodRecord {
  /** The attempt that it was saved by. The reference is sealed for this id. */
  readonly attempt_id: string;
  readonly gateway: string;
  readonly account: string | null;
  readonly method: Pick<PaymentMethod, "id" | "type">;
  /** The provider's id of it, sealed. */
  readonly sealed_reference: string;
  /** What it is, in the provider's word: `card`. */
  readonly kind: string;
  /** What the buyer knows it by: `Visa ···· 4242`. */
  readonly label: string;
  /** The time after which it pays no more. Null means that the provider told none. */
  readonly expires_at: number | null;
  /** The number of days before a period at which its first charge is made. Absent means none. */
  readonly charge_ahead_days?: number;
  /** The words that the buyer agreed to, and when. */
  readonly consent: { readonly text: string; readonly at: number };
}

/** How maintenance charges a subscription by the saved method. */
export interface RenewalState {
  readonly saved: SavedMethodRecord;
  /** The charges of the open period that have begun. */
  readonly tries: number;
  /** True once the provider has said that the method does not pay without the buyer. */
  readonly stopped: boolean;
  /** The time of the next charge. Null while a charge runs, and when none follows. */
  readonly charge_at: number | null;
  /**
   * The time at which maintenance tells of the coming charge, or plans when to tell of it. Null or
   * absent means that it has told of it, or does not.
   */
  readonly notice_at?: number | null;
}

/** Saved methods that are no longer used, and that their gateways have yet to forget. */
export interface ForgetState {
  readonly methods: readonly SavedMethodRecord[];
  /** The gateways were asked this often without a success. */
  readonly tries: number;
  /** The time at which maintenance asks the gateways. */
  readonly at: number;
}

/** A refund of money that pays nothing. It has a result, whoever made it. */
export interface ReturnRefund {
  /** The provider's id of the refund. Null means that the gateway gave none. */
  readonly reference: string | null;
  /** The amount is in minor units. */
  readonly amount: number;
  readonly state: "succeeded" | "failed";
}

/** The return of money that pays nothing, as the gateway is asked for it. */
export interface MoneyReturn {
  /** The library's id of the return: `rf_…`, or `rf_…-2` for the second money of an attempt. */
  readonly refund_id: string;
  /**
   * The key for the provider is `refund_id`, and from 1 on `refund_id` with
   * `.{key_attempt}` behind it. A result uses a key up.
   */
  readonly key_attempt: number;
  /** The amount that is asked for with this key: a repeated creation must be the same. */
  readonly amount: number;
  /** The time at which the creation was first sent with this key. Null until it is sent. */
  readonly requested_at: number | null;
  /** The gateway was asked this often. A look at a pending return does not count. */
  readonly tries: number;
  /** True means that the gateway has taken the return, and its result is still to come. */
  readonly pending: boolean;
  /** The provider's id of the refund, while its result is still to come. */
  readonly refund_reference: string | null;
}

/**
 * Money that came. Store, mode, gateway, account and `payment_reference` name it:
 * the same money counts once, whichever attempt it is reported for.
 */
export interface PaymentRecord extends Partition {
  /** The id of its attempt. The second money of an attempt adds `.2`, the third `.3`. */
  readonly id: string;
  readonly gateway: string;
  readonly account: string | null;
  /** The provider's id of the money. */
  readonly payment_reference: string;
  readonly attempt_id: string;
  readonly order_id: string;
  /**
   * `booked` means that this money pays its order. `duplicate` means that the order had
   * been paid before. `unapplied` means that the money has another amount or currency than
   * the order; a later report may correct that.
   */
  readonly state: "booked" | "duplicate" | "unapplied" | "returning" | "returned" | "return_failed";
  readonly amount: number;
  readonly currency: string;
  /** The refunds of money that pays nothing. Those of booked money are the order's. */
  readonly sent_back: readonly ReturnRefund[];
  /** The return of money that pays nothing. It is null when nobody has asked for it. */
  readonly return: MoneyReturn | null;
  /**
   * The time at which maintenance asks the gateway to send the money back. Null means that it does
   * not.
   */
  readonly check_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Money of an order that goes back to the buyer, in whole or in part. */
export interface RefundRecord extends Partition {
  /** The id begins with `rf_`. The gateway gets it as idempotency key. */
  readonly id: string;
  readonly order_id: string;
  /** The money of this attempt goes back. */
  readonly attempt_id: string | null;
  /**
   * The caller's own id of the refund. It is `id` when the refund was made at
   * the provider.
   */
  readonly reference: string;
  readonly state: "pending" | "succeeded" | "failed";
  readonly amount: number;
  readonly reason: z.output<typeof RefundReason> | null;
  /** Who moves the money. */
  readonly moved: "by_gateway" | "by_host";
  /** The gateway that moves the money. Null means that the host has moved it. */
  readonly gateway: string | null;
  readonly account: string | null;
  /**
   * The provider knows the payment by these ids: that of what was asked for, and
   * that of its money. They are null where the payment has none.
   */
  readonly attempt_reference: string | null;
  readonly payment_reference: string | null;
  /** The provider's id of the refund. */
  readonly provider_reference: string | null;
  readonly failure_reason: string | null;
  /**
   * The key for the provider is `id`, and from 1 on `id` with `.{key_attempt}`
   * behind it.
   */
  readonly key_attempt: number;
  /** The time of the first creation with this key, or of a new try. Null until it is sent. */
  readonly requested_at: number | null;
  /** The provider has said that it has the refund: its creation is never sent again. */
  readonly acknowledged: boolean;
  /**
   * True means that the refund is tried again after a refusal: the gateway is asked
   * about the key of before, and the creation is sent with the next one.
   */
  readonly asks_first: boolean;
  /**
   * The time at which maintenance asks the gateway. Null means that there is a result, or nobody
   * asks any more.
   */
  readonly check_at: number | null;
  readonly succeeded_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A payment that the buyer's bank disputes. */
export interface DisputeRecord extends Partition {
  /** The caller's own id of the dispute. A repeat changes nothing. */
  readonly id: string;
  readonly order_id: string;
  /**
   * The provider's id of the disputed money. Null means that the host told of
   * the dispute without it.
   */
  readonly payment_reference: string | null;
  readonly amount: number;
  readonly reason: string | null;
  readonly due_by: number | null;
  readonly outcome: "won" | "lost" | null;
  /** True when the gateway told of the dispute, and not the host. */
  readonly notified: boolean;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A product that a buyer pays for again in every period. */
export interface SubscriptionRecord extends Partition {
  readonly id: string;
  readonly status: Subscription["status"];
  readonly product_id: string;
  readonly product_slug: string;
  readonly product_name: string;
  readonly image_url: string | null;
  readonly variables: Readonly<Record<string, string>>;
  /** The options of its product. Absent without any. */
  readonly options?: readonly ProductOption[];
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount: number;
  readonly currency: string;
  readonly interval: "day" | "week" | "month" | "year";
  readonly interval_count: number;
  /**
   * The start of the first counted period: the time of the first payment, the end of the trial or
   * the last resumption. What began on a 31st falls on the 31st again after February.
   */
  readonly anchor: number;
  /** The number of periods that were paid since `anchor`, the current one included. */
  readonly periods: number;
  readonly current_period_start: number;
  readonly current_period_end: number;
  /** The end of the trial that the subscription began with. Absent without a trial. */
  readonly trial_end?: number;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: number | null;
  readonly ended_at: number | null;
  readonly customer: OrderRecord["customer"];
  readonly payment_method_type: PaymentMethod["type"] | null;
  readonly latest_order_id: string | null;
  /** Absent from a subscription that the host charges by its own code. */
  readonly renewal?: RenewalState;
  /** Null or absent when there is nothing to forget. */
  readonly forget?: ForgetState | null;
  /** While it is set, nothing is charged. Null or absent means that it runs. */
  readonly paused_at?: number | null;
  readonly metadata: SessionRecord["metadata"];
  readonly created_at: number;
  readonly updated_at: number;
}
