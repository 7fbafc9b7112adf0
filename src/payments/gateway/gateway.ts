import type { PaymentMethod } from "../../contract/schemas.ts";
import type { GatewayMessage } from "./gateway-message.ts";
import type {
  Agreement,
  GatewayNotification,
  GatewayRefund,
  PaymentResult,
} from "./gateway-results.ts";
import type { PaymentElement } from "./payment-element.ts";

/** Who pays. It is for the provider alone: the tax id, as the buyer gave it, is never stored. */
export interface PaymentCustomer {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  /** An ISO 3166 code of two letters. */
  readonly country: string | null;
  readonly tax_id: string | null;
}

/**
 * The library's ids. Give them to the provider, so that its messages and its dashboard name them.
 */
export interface PaymentMetadata {
  readonly store_id: string;
  readonly livemode: boolean;
  readonly order_id: string;
  readonly session_id: string | null;
  readonly payment_id: string;
}

/** Every call names the store, and which of the host's provider accounts is meant. */
interface GatewayCall {
  readonly store_id: string;
  /**
   * The store's account at the provider, as the gateway's own `account` gave
   * it when the payment began. Null means that the host has one account for all
   * stores.
   */
  readonly account: string | null;
  /** Aborts when the answer is no longer waited for. */
  readonly signal: AbortSignal;
}

/** The payment that a gateway is to take. */
export interface PaymentRequest extends GatewayCall {
  /**
   * Begins with `pay_`. Send it to the provider as the idempotency key. One id
   * must never charge the buyer twice.
   */
  readonly id: string;
  readonly order_id: string;
  /** In minor units. */
  readonly amount: number;
  /** An ISO 4217 code in upper case. */
  readonly currency: string;
  readonly method: Pick<PaymentMethod, "id" | "type">;
  /** One line for a bank statement or the provider's page. */
  readonly description: string;
  readonly customer: PaymentCustomer;
  readonly metadata: PaymentMetadata;
  /** One row for each line, for a provider's page. The amounts add up to `amount`. */
  readonly line_items: readonly {
    readonly name: string;
    readonly quantity: number;
    /** In minor units, after the discount. */
    readonly amount_total: number;
    readonly image_url: string | null;
  }[];
  /**
   * The hosted page collected this for the gateway, e.g. a card token or the number
   * of installments. It is never stored.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * The provider's page sends the buyer back to this address: the checkout page, so
   * that it can show the result. It is never the merchant's success page.
   */
  readonly return_url: string;
  /** The time, in epoch milliseconds, at which the order fails when there is no result yet. */
  readonly expires_at: number;
  /**
   * True when the buyer has agreed that the means of payment is kept for later periods.
   * Then a `succeeded` result names it as `saved_method`. Nothing else may be kept.
   */
  readonly save?: boolean;
  /**
   * True when the buyer's page can show the gateway's `element`: answer with a `client_secret`.
   * Otherwise the buyer pays on the provider's page.
   */
  readonly on_page?: boolean;
  /** With `save`: what the buyer has agreed to pay in later periods. */
  readonly recurring?: RecurringTerms | undefined;
}

/** How often later periods are charged, and what each of them costs. */
export interface RecurringTerms {
  readonly interval: "day" | "week" | "month" | "year";
  readonly interval_count: number;
  /** In minor units. A coupon lowers the first payment alone. */
  readonly amount: number;
  /** The start of the next period, in epoch milliseconds. */
  readonly next_period_start: number;
}

/** Names a means of payment that the buyer has let us keep. */
export interface SavedMethodQuery extends GatewayCall {
  /** The provider's id of it, as `saved_method` of a payment gave it. */
  readonly saved_reference: string;
  readonly customer: Pick<PaymentCustomer, "id" | "email">;
}

/** The agreement that is asked about. */
export interface AgreementQuery extends GatewayCall {
  /** The provider's id of it, which is the `reference` of its saved method. */
  readonly reference: string;
}

/** The charge of a saved method. The buyer is not there to confirm it. */
export interface SavedChargeRequest
  extends SavedMethodQuery,
    Pick<
      PaymentRequest,
      | "id"
      | "order_id"
      | "amount"
      | "currency"
      | "method"
      | "description"
      | "metadata"
      | "line_items"
      | "expires_at"
    > {
  readonly subscription_id: string;
  /** The start of the period that is paid, in epoch milliseconds. */
  readonly period_start: number;
}

/** The payment whose result is asked for. */
export interface PaymentQuery extends GatewayCall {
  /** Begins with `pay_`. */
  readonly id: string;
  /** Null when the provider's answer to `createPayment` was lost. */
  readonly reference: string | null;
  /** Null until money came. */
  readonly payment_reference: string | null;
  /** Epoch milliseconds. An adapter may list what it cannot look up by its reference. */
  readonly created_at: number;
}

/** The refund that a gateway is to make. */
export interface RefundRequest extends GatewayCall {
  /** The idempotency key for the provider: `rf_…`, or `rf_….{n}` after a definite refusal. */
  readonly id: string;
  /**
   * True means that this creation was sent before under this id, and its answer is
   * not known. Its refusal then says nothing about the creation before it: a `failed`
   * result without a `reference` is taken as unknown.
   */
  readonly repeat: boolean;
  /** The `reference` of the payment. */
  readonly reference: string;
  readonly payment_reference: string | null;
  /** In minor units. */
  readonly amount: number;
  /** An ISO 4217 code in upper case. */
  readonly currency: string;
  readonly metadata: Omit<PaymentMetadata, "session_id"> & { readonly refund_id: string };
}

/** The refund whose result is asked for. */
export interface RefundQuery extends GatewayCall {
  /** The refund was asked for with this idempotency key. */
  readonly id: string;
  /** Null when the provider's answer to `refund` was lost. */
  readonly refund_reference: string | null;
  readonly payment_reference: string | null;
  /** In minor units. */
  readonly amount: number;
  /**
   * The time is in epoch milliseconds. An adapter may list what it cannot look up
   * by its reference.
   */
  readonly created_at: number;
}

/** A method that may be kept for the later periods of a subscription. */
export interface KeptPlan extends Pick<RecurringTerms, "interval" | "interval_count"> {
  readonly method: Pick<PaymentMethod, "type">;
}

/**
 * Connects a payment provider. Every result, a failed one too, is a return value.
 * An exception, a call without an answer (30 s for the caller; the signal aborts at
 * 120 s) and `null` for a known reference mean *unknown*, never failed
 * (docs/contract/payments.md#payments).
 */
export interface PaymentGateway {
  /** The name to which payment methods of the store refer. `host` is the host's own code. */
  readonly id: string;
  readonly livemode: boolean;
  /**
   * True sends duplicate payments back without being asked, ten minutes after they
   * came. False, the default, leaves them to the owner: `orders.returnPayment`.
   */
  readonly returnDuplicates?: boolean | undefined;
  /** Names the account of a store, for a host that has one provider account for each store. */
  account?(store_id: string): string | null | Promise<string | null>;
  /** The name of the provider, as the checkout page tells it to buyers: `Stripe`. */
  readonly provider?: string | undefined;
  /**
   * The provider's own form, which the checkout page shows for a `client_secret`. Without it such
   * a payment needs a page of the host's own.
   */
  readonly element?: PaymentElement | undefined;
  /** Suggests payment methods to the owner. A method is offered only once the owner creates it. */
  methods(): readonly Pick<PaymentMethod, "type" | "name">[];
  /**
   * Says why the provider cannot take a payment of this amount, currency and
   * method. Gives null when it can. It is asked before an order is written, and
   * must not call the provider.
   */
  refusal?(
    payment: Pick<PaymentRequest, "amount" | "currency" | "method">,
  ): "currency_mismatch" | "amount_out_of_range" | null;
  /** Takes the payment. It must be idempotent by `id`. */
  createPayment(request: PaymentRequest): Promise<PaymentResult>;
  /**
   * Saves a means of payment for a trial, without a payment: `amount` is 0 and `save` is true. The
   * result has the form of `createPayment`'s, and `getPayment` and `cancelPayment` find it too. The
   * call must be idempotent by `id`. A gateway that lacks this method sells no trial.
   */
  saveMethod?(request: PaymentRequest): Promise<PaymentResult>;
  /** The types of methods that `saveMethod` takes. Left out, it takes all. */
  readonly savedTypes?: readonly PaymentMethod["type"][] | undefined;
  /**
   * Says whether a payment with `save` keeps this method for later periods of this length.
   * `with_tax_id` keeps it only for a buyer who gives a tax id, which the checkout page then
   * demands. Left out, a gateway with `chargeSaved` keeps every method of every buyer. It must not
   * call the provider.
   */
  keeps?(plan: KeptPlan): "always" | "with_tax_id" | "never";
  /**
   * Charges a means of payment that `createPayment` or `saveMethod` saved, without the
   * buyer. It must be idempotent by `id`, and should give a payment of the period that the
   * provider knows already: a restored database has forgotten it. A refusal says by `needs_buyer`
   * that no later charge of it can succeed without the buyer. A gateway without it saves nothing.
   */
  chargeSaved?(request: SavedChargeRequest): Promise<PaymentResult>;
  /**
   * The number of days before a period at which its first charge is asked for, where the provider
   * is told of a charge in advance. None by default.
   */
  readonly chargeAheadDays?: number | undefined;
  /**
   * Makes the provider forget a saved means of payment. One that it does not know is no error. A
   * call that throws is repeated later: `customer` of an erased buyer is `cus_erased` then.
   */
  forgetSaved?(query: SavedMethodQuery): Promise<void>;
  /**
   * Looks up an agreement that a buyer made with the provider, outside a payment: it allows the
   * charges of a subscription. Returns null when the provider has no record of it.
   */
  getAgreement?(query: AgreementQuery): Promise<Agreement | null>;
  /** Looks the payment up. Returns null when the provider has no record of it. */
  getPayment?(query: PaymentQuery): Promise<PaymentResult | null>;
  /**
   * Cancels the payment. Only a `failed` result (failure code `canceled`) is a
   * definite cancel. When nothing is returned, `getPayment` is asked.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an `async` cancel without a result fits too.
  cancelPayment?(query: PaymentQuery): Promise<PaymentResult | void>;
  /**
   * Refunds a payment. It must be idempotent by `id`. It is asked once for each id,
   * unless there was no answer.
   */
  refund?(request: RefundRequest): Promise<GatewayRefund>;
  /** Looks the refund up. Returns null when the provider has no record of it. */
  getRefund?(query: RefundQuery): Promise<GatewayRefund | null>;
  /**
   * Checks the provider's signature and reads the message. The list is empty when
   * the message does not concern us. Throws when the signature is wrong. Throws an
   * `ApiError` `service_unavailable` when the message cannot be checked now, so
   * that the provider sends it again. When only a part cannot be read now, a fact
   * of the type `unread` stands for that part.
   */
  parseNotification?(message: GatewayMessage): Promise<readonly GatewayNotification[]>;
  /**
   * Closes connections that the gateway keeps open. `storefront.close()` calls it
   * when no call runs any more. A gateway that several storefronts share opens its
   * connections again at its next call.
   */
  close?(): void | Promise<void>;
}
