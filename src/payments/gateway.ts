import type { FailureCode, PaymentMethod } from "../contract/schemas.ts";
import type { NextAction } from "../rules/next-action.ts";
import type { GatewayMessage } from "./gateway-message.ts";

/**
 * Tells how a payment stands at the provider now. Answers, look-ups and
 * notifications have this one shape.
 */
export interface PaymentResult {
  /** `requires_action` means that the buyer must do what `next_action` says. */
  readonly status: "succeeded" | "pending" | "requires_action" | "failed";
  /** It is the provider's id of what was asked for: Stripe's `cs_…`, a Pix `txid`. */
  readonly reference: string;
  /** The provider's id of the money: `pi_…`, `endToEndId`. Left out, `reference` names it. */
  readonly payment_reference?: string | undefined;
  /** It is in minor units: what came when the payment succeeded, else what was asked for. */
  readonly amount: number;
  /** It is an ISO 4217 code in upper case. */
  readonly currency: string;
  readonly next_action?: NextAction | undefined;
  /** It says why a `failed` payment failed. It is `declined` when it is left out. */
  readonly failure_code?: FailureCode | undefined;
  /**
   * It holds the provider's words about a failure, for the host alone: with the
   * failure code `error` they go to `onError`.
   */
  readonly failure_reason?: string | undefined;
  /**
   * The buyer can pay until this time, in epoch milliseconds. In a look-up it may
   * lie in the past.
   */
  readonly expires_at?: number | undefined;
}

/**
 * Tells who pays. It is for the provider alone: the tax id, as the buyer gave it,
 * is never stored.
 */
export interface PaymentCustomer {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  /** It is an ISO 3166 code of two letters. */
  readonly country: string | null;
  readonly tax_id: string | null;
}

/** Holds our ids. Give them to the provider, so that its messages and its dashboard name them. */
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
   * It is the store's account at the provider, as the gateway's own `account` gave
   * it when the payment began. Null means that the host has one account for all
   * stores.
   */
  readonly account: string | null;
  /** It aborts when the answer is no longer waited for. */
  readonly signal: AbortSignal;
}

/** The payment that a gateway is to take. */
export interface PaymentRequest extends GatewayCall {
  /**
   * It begins with `pay_`. Send it to the provider as the idempotency key. One id
   * must never charge the buyer twice.
   */
  readonly id: string;
  readonly order_id: string;
  /** It is in minor units. */
  readonly amount: number;
  /** It is an ISO 4217 code in upper case. */
  readonly currency: string;
  readonly method: Pick<PaymentMethod, "id" | "type">;
  /** It is one line for a bank statement or the provider's page. */
  readonly description: string;
  readonly customer: PaymentCustomer;
  readonly metadata: PaymentMetadata;
  /** It has one row for each line, for a provider's page. The amounts add up to `amount`. */
  readonly line_items: readonly {
    readonly name: string;
    readonly quantity: number;
    /** It is in minor units, after the discount. */
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
  /** Without a result by this time, in epoch milliseconds, the order fails. */
  readonly expires_at: number;
}

/** The payment whose result is asked for. */
export interface PaymentQuery extends GatewayCall {
  /** It begins with `pay_`. */
  readonly id: string;
  /** It is null when the provider's answer to `createPayment` was lost. */
  readonly reference: string | null;
  /** It is null until money came. */
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
  /** It is the `reference` of the payment. */
  readonly reference: string;
  readonly payment_reference: string | null;
  /** It is in minor units. */
  readonly amount: number;
  /** It is an ISO 4217 code in upper case. */
  readonly currency: string;
  readonly metadata: Omit<PaymentMetadata, "session_id"> & { readonly refund_id: string };
}

/** Tells how a refund stands at the provider. */
export interface RefundResult {
  readonly status: "succeeded" | "pending" | "failed";
  /** It is the provider's id of the refund. */
  readonly reference: string | null;
  /** It is in minor units. */
  readonly amount?: number | undefined;
  readonly failure_reason?: string | undefined;
}

/** The refund whose result is asked for. */
export interface RefundQuery extends GatewayCall {
  /** The refund was asked for with this idempotency key. */
  readonly id: string;
  /** It is null when the provider's answer to `refund` was lost. */
  readonly refund_reference: string | null;
  readonly payment_reference: string | null;
  /** It is in minor units. */
  readonly amount: number;
  /**
   * The time is in epoch milliseconds. An adapter may list what it cannot look up
   * by its reference.
   */
  readonly created_at: number;
}

/** Says that a payment changed. */
export interface PaymentFact extends PaymentResult {
  readonly type: "payment";
  /** It is our `pay_…`, where the provider hands it back. It only finds the payment. */
  readonly payment_id?: string | undefined;
}

/** Says that a refund changed, or was made at the provider. */
export interface RefundFact {
  readonly type: "refund";
  readonly status: "succeeded" | "pending" | "failed";
  /** It is our `rf_…`, where the provider hands it back. */
  readonly refund_id?: string | undefined;
  /** It is the provider's id of the refund. */
  readonly reference: string;
  /** It is the provider's id of the money that goes back. */
  readonly payment_reference: string;
  /** It is in minor units. */
  readonly amount: number;
  /** It is an ISO 4217 code in upper case. */
  readonly currency: string;
  readonly failure_reason?: string | undefined;
}

/** Says that the buyer's bank takes the money back, or asks about it. */
export interface DisputeOpenedFact {
  readonly type: "dispute_opened";
  /** It is the provider's id of the dispute. */
  readonly reference: string;
  readonly payment_reference: string;
  /** It is in minor units. */
  readonly amount: number;
  readonly reason?: string | undefined;
  /** Evidence is accepted until this time, in epoch milliseconds. */
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
  /** It is the provider's id of the dispute. */
  readonly reference: string;
  readonly payment_reference: string;
  readonly result: "won" | "lost";
  /** True marks an end without a verdict: it counts for a dispute that was told of. */
  readonly known_only?: boolean | undefined;
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
  /** It is unique for each fact: a repeated id changes nothing. */
  readonly notification_id: string;
  /**
   * The message came for this provider account. It is null or left out where there
   * is one for all stores. It must equal the payment's.
   */
  readonly account?: string | null | undefined;
} & (PaymentFact | RefundFact | DisputeOpenedFact | DisputeClosedFact | UnreadFact);

/**
 * Connects a payment provider. Every result, a failed one too, is a return value.
 * An exception, a call without an answer (30 s for the caller; the signal aborts at
 * 120 s) and `null` for a known reference mean *unknown*, never failed
 * (docs/contract.md#payments).
 */
export interface PaymentGateway {
  /** Payment methods of the store refer to this name. `host` is the host's own code. */
  readonly id: string;
  readonly livemode: boolean;
  /**
   * True sends duplicate payments back without being asked, ten minutes after they
   * came. False, the default, leaves them to the owner: `orders.returnPayment`.
   */
  readonly returnDuplicates?: boolean | undefined;
  /** Names the account of a store, for a host that has one provider account for each store. */
  account?(store_id: string): string | null | Promise<string | null>;
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
  refund?(request: RefundRequest): Promise<RefundResult>;
  /** Looks the refund up. Returns null when the provider has no record of it. */
  getRefund?(query: RefundQuery): Promise<RefundResult | null>;
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
