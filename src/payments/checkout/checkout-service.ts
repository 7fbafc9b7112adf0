import type { CheckoutSession, Order, PaymentMethod, Store } from "../../contract/schemas.ts";
import type { BuyerReason } from "../../rules/payments/decline-reasons.ts";
import type { NextAction } from "../../rules/payments/next-action.ts";
import type { StepOptions } from "../context.ts";
import type { PaymentElement } from "../gateway/payment-element.ts";
import type { CompleteInput, HoldInput, PartitionInput, SubmitInput } from "../inputs.ts";
import type { NotificationMessage, NotificationResult } from "../notifications.ts";

/** What a subscription costs after its first payment: a coupon lowers the first one only. */
export interface RecurringPayment {
  readonly interval: "day" | "week" | "month" | "year";
  /** The period is as many intervals long. */
  readonly interval_count: number;
  /** The number of days for which the buyer pays nothing. Absent without a trial. */
  readonly trial_days?: number | undefined;
  /** True for the link of a later period, which takes no coupon. Absent for a first payment. */
  readonly renews?: true | undefined;
  /** The price of each later period, in minor units of the session's currency. */
  readonly amount: number;
  /**
   * The ids of the methods that can be kept for the later periods. A page shows a sentence
   * beside each of them, by which the buyer agrees, and submits this sentence as `consent`.
   */
  readonly saved_by: readonly string[];
  /**
   * The ids of the methods of `saved_by` that are kept only for a buyer who gives
   * `customer.tax_id`.
   */
  readonly needs_tax_id: readonly string[];
}

/** The provider's element by which a payment that waits is paid. */
export interface WaitingElement extends PaymentElement {
  readonly payment_method_id: string | null;
}

/** Holds everything that a checkout page shows. */
export interface CheckoutView {
  readonly store: Store;
  readonly session: CheckoutSession;
  readonly livemode: boolean;
  /** The subscription that the payment begins or goes on with. Null for a single purchase. */
  readonly recurring: RecurringPayment | null;
  /** The methods that can pay this session, and no others. */
  readonly payment_methods: readonly PaymentMethod[];
  /** Null until the first submission. */
  readonly order: Order | null;
  /**
   * Why the last payment was refused, in a reason that its buyer may know. Null when the order has
   * not failed, and when the provider gave no such reason.
   */
  readonly refusal: BuyerReason | null;
  /**
   * What the buyer must do to pay. Null means that nothing is to be done, or that no payment is
   * open.
   */
  readonly next_action: NextAction | null;
  /**
   * Shows the form for a `next_action` of the type `client_secret`. It is null for any other, and
   * where the gateway has no element.
   */
  readonly element: WaitingElement | null;
  /** The names of the providers that take these methods, as their gateways tell them. */
  readonly providers: readonly string[];
  /** The buyer goes here after the payment. `{CHECKOUT_SESSION_ID}` is filled in. */
  readonly success_url: string;
  /** The buyer goes here after giving up. `{CHECKOUT_SESSION_ID}` is filled in. */
  readonly cancel_url: string;
}

/** The result of a submitted payment. */
export interface SubmitResult {
  /**
   * `requires_action` means that the buyer does what `next_action` says. `pending`
   * means that the result comes later, by a notification or by maintenance.
   */
  readonly status: "paid" | "failed" | "pending" | "requires_action";
  readonly order: Order;
  /**
   * The buyer goes here now: to the success page after a payment, or to the
   * gateway's page for an action. Null means that the buyer stays on the checkout
   * page.
   */
  readonly redirect_url: string | null;
  /** What the buyer must do to pay. Null unless `status` is `requires_action`. */
  readonly next_action: NextAction | null;
}

/** The goods that a session holds, with the end of the hold. */
export interface CheckoutHold {
  readonly session_id: string;
  /** A time in ISO 8601, in UTC. */
  readonly until: string;
}

/**
 * The hosted checkout page calls this, and so does a host that has its own payment
 * code.
 */
export interface CheckoutService {
  /**
   * Gives what the page shows. Throws `resource_not_found` when the token was not
   * made with a key of `sealKeys`.
   */
  view(token: string): Promise<CheckoutView>;

  /**
   * Starts a payment: it commits a pending order that holds its stock, calls the
   * gateway outside any transaction, then writes the result. A payment of another
   * method that is in flight is canceled at its gateway first; when it is not over
   * then, the result tells how it stands. Throws `session_expired`,
   * `session_not_open`, `session_changed` when the buyer saw another `session_version`,
   * `product_unavailable`, `insufficient_stock`, `coupon_invalid`, `trial_used` for a
   * buyer who has had the trial of the product, `too_many_attempts` after ten failed
   * payments of the session, `rate_limit_exceeded` for an `ip` that submits too often,
   * `gateway_error`, `parameter_invalid`, `parameter_missing`, `resource_not_found`.
   */
  submit(token: string, input: SubmitInput): Promise<SubmitResult>;

  /**
   * Asks the gateway once for the result of an open payment, also of one whose time
   * is over. Call it when the buyer comes back from the gateway's page. Throws
   * `resource_not_found` when nothing was submitted yet.
   */
  resume(token: string): Promise<SubmitResult>;

  /**
   * Ends the checkout of a buyer who gives up. A payment in flight is canceled at
   * its gateway first. When the gateway says that it is over, or when none is in
   * flight, the pending order becomes `failed` with the failure code `canceled`.
   * Otherwise the view shows how the payment stands.
   */
  cancel(token: string): Promise<CheckoutView>;

  /**
   * Holds the session's pieces and a use of its coupon until the given time, for a
   * payment that your own code takes. They are taken once: a repeat moves the end
   * of the hold, and the order takes them over. When nobody has paid by then,
   * maintenance gives them back. `expire` and `cancel` give them back at once.
   * Throws `product_unavailable`, `insufficient_stock`, `coupon_invalid`,
   * `session_expired`, `session_not_open`, `invalid_transition` while a payment is
   * under way, `rate_limit_exceeded` for the 21st open hold of one `ip`,
   * `parameter_invalid` for a time that is past or more than 24 hours ahead, and
   * `invalid_option` when your own catalog cannot reserve.
   */
  hold(session_id: string, input: HoldInput): Promise<CheckoutHold>;

  /**
   * Reports a payment that your own code took. It is idempotent by `reference`. A
   * payment that succeeded is never refused over stock, coupon or expiry. Throws
   * `payment_mismatch` when amount or currency differ from the session's.
   */
  complete(session_id: string, input: CompleteInput, options?: StepOptions): Promise<Order>;

  /**
   * Closes an open session now, and gives back what it holds. Its order fails with
   * the failure code `expired`, unless a payment is open: the result of that payment
   * still counts. Throws `resource_not_found`.
   */
  expire(session_id: string, partition: PartitionInput): Promise<CheckoutSession>;

  /**
   * Takes a message of the payment provider, as it was received: the gateway checks
   * its signature and reads it. `storefront.notifications` does this and answers the
   * provider. In a route of your own, answer with 200; with 409 for the outcome
   * `unknown_payment`, so that the provider sends the message again; with 400 for
   * `notification_refused`; with 503 when the storage is down. Each fact of the
   * message is applied once, also when the message comes again after an error. Throws
   * `notification_refused` when the gateway refuses the message, `gateway_error` when
   * no gateway of that id and mode reads notifications, and `invalid_gateway_result`
   * for a fact that lacks a field of its type.
   */
  handleNotification(gateway_id: string, message: NotificationMessage): Promise<NotificationResult>;
}
