// The few parts of stripe-node that the gateway uses. They are described here, so that the host
// brings the package and its version; test/types/stripe.types.ts holds them beside its own types.

/** A currency is written in lower case. Amounts are in the smallest unit that Stripe counts. */
export interface StripeSession {
  readonly id: string;
  /** `open`, `complete` or `expired`. */
  readonly status: string | null;
  /** `paid`, `unpaid` or `no_payment_required`. */
  readonly payment_status: string;
  /** Null once the session is not open any more. */
  readonly url: string | null;
  /** Epoch seconds. */
  readonly expires_at: number;
  readonly amount_total: number | null;
  readonly currency: string | null;
  /** Null until the buyer pays; an id unless it was expanded. */
  readonly payment_intent: string | StripeIntent | null;
  readonly metadata: Metadata | null;
}

/** The fields of Stripe's PaymentIntent that the gateway reads. */
export interface StripeIntent {
  readonly id: string;
  /** `requires_payment_method`, `requires_action`, `processing`, `succeeded`, `canceled`, … */
  readonly status: string;
  readonly amount: number;
  readonly amount_received: number;
  readonly currency: string;
  readonly client_secret: string | null;
  readonly cancellation_reason: string | null;
  readonly payment_method_types?: readonly string[];
  readonly metadata: Metadata;
  readonly last_payment_error: {
    readonly code?: string;
    readonly decline_code?: string;
    readonly message?: string;
  } | null;
  readonly next_action: {
    readonly type: string;
    readonly pix_display_qr_code?: { readonly data?: string; readonly expires_at?: number };
    readonly boleto_display_details?: {
      readonly number: string | null;
      readonly expires_at: number | null;
      readonly hosted_voucher_url: string | null;
    };
  } | null;
}

/** The fields of Stripe's refund that the gateway reads. */
export interface StripeRefund {
  readonly id: string;
  /** `pending`, `requires_action`, `succeeded`, `failed` or `canceled`. */
  readonly status: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly payment_intent: string | StripeIntent | null;
  readonly failure_reason?: string;
  readonly metadata: Metadata | null;
}

/** The fields of Stripe's dispute that the gateway reads. */
export interface StripeDispute {
  readonly id: string;
  /** `warning_…` for an inquiry, `needs_response`, `under_review`, `won`, `lost`, … */
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly payment_intent: string | StripeIntent | null;
  /** `due_by`: epoch seconds. */
  readonly evidence_details?: { readonly due_by: number | null };
}

/** The fields of Stripe's event that the gateway reads. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  /** The connected account that the event is about. */
  readonly account?: string;
  /**
   * The object differs from type to type, so each field is read and checked by
   * itself. Thin events have no object.
   */
  readonly data?: { readonly object?: object };
}

/** The metadata that the gateway writes on Stripe's objects, so that it finds them again. */
export type Metadata = Readonly<Record<string, string>>;

/** Options of one request. */
export interface StripeCall {
  readonly apiVersion: string;
  readonly idempotencyKey?: string;
  readonly stripeAccount?: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly maxNetworkRetries: number;
}

interface Expand {
  expand?: string[];
}

/** The fields of a Checkout Session that the gateway sends. */
export interface SessionParams {
  mode: "payment";
  payment_method_types: ("card" | "boleto")[];
  line_items: {
    quantity: number;
    price_data: {
      currency: string;
      unit_amount: number;
      product_data: { name: string; images?: string[] };
    };
  }[];
  payment_intent_data: {
    capture_method: "automatic";
    description: string;
    metadata: Record<string, string>;
  };
  adaptive_pricing: { enabled: boolean };
  customer_email?: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string;
  /** Epoch seconds. */
  expires_at: number;
}

/** The fields of a PaymentIntent that the gateway sends. */
export interface IntentParams {
  amount: number;
  currency: string;
  capture_method: "automatic";
  payment_method_types: string[];
  description: string;
  receipt_email?: string;
  metadata: Record<string, string>;
  confirm?: boolean;
  payment_method_data?: {
    type: "pix";
    billing_details: { name?: string; email?: string; tax_id?: string };
  };
  payment_method_options?: { pix: { expires_at: number } };
}

interface ListParams {
  /** Epoch seconds, inclusive. */
  created?: { gte: number; lte: number };
  limit: number;
}

/** A list of stripe-node: it asks for the next page when it is read that far. */
type Pages<T> = AsyncIterable<T>;

/** The client of the package `stripe`, as `new Stripe(key)` makes it. */
export interface StripeClient {
  readonly checkout: {
    readonly sessions: {
      create(params: SessionParams, call: StripeCall): Promise<StripeSession>;
      retrieve(id: string, params: Expand, call: StripeCall): Promise<StripeSession>;
      expire(id: string, params: Expand, call: StripeCall): Promise<StripeSession>;
      list(
        params: ListParams & { payment_intent?: string },
        call: StripeCall,
      ): Pages<StripeSession>;
    };
  };
  readonly paymentIntents: {
    create(params: IntentParams, call: StripeCall): Promise<StripeIntent>;
    retrieve(id: string, params: Expand, call: StripeCall): Promise<StripeIntent>;
    cancel(id: string, params: Expand, call: StripeCall): Promise<StripeIntent>;
    list(params: ListParams, call: StripeCall): Pages<StripeIntent>;
  };
  readonly refunds: {
    create(
      params: { payment_intent: string; amount: number; metadata: Record<string, string> },
      call: StripeCall,
    ): Promise<StripeRefund>;
    retrieve(id: string, params: Expand, call: StripeCall): Promise<StripeRefund>;
    list(
      params: { payment_intent?: string; charge?: string; limit: number; expand?: string[] },
      call: StripeCall,
    ): Pages<StripeRefund>;
  };
  readonly disputes: {
    retrieve(id: string, params: Expand, call: StripeCall): Promise<StripeDispute>;
  };
  readonly webhooks: {
    constructEventAsync(payload: string, header: string, secret: string): Promise<StripeEvent>;
  };
}

/**
 * The version of Stripe's API that the gateway speaks, whatever the version of the
 * client is. From 2026-09-30 on, Stripe refuses `payment_method_types`, by which a
 * payment has the one method that the buyer chose.
 */
const apiVersion = "2025-04-30.basil";

/**
 * The gateway's call aborts after 120 s, and maintenance counts a payment that the
 * provider does not know as never begun after 150 s. So one request and its one
 * retry end before that, whatever the client's own settings are.
 */
export const callOf = (account: string | null, idempotencyKey?: string): StripeCall => ({
  apiVersion,
  timeout: 25_000,
  maxNetworkRetries: 1,
  ...(account !== null && { stripeAccount: account }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});
