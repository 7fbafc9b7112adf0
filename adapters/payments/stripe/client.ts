// The gateway uses these parts of stripe-node. They are described here, so that the
// host brings the package and its version; test/types/stripe.types.ts holds them
// beside its own types.

/**
 * A Checkout Session. Its currency is written in lower case. Its amounts are in the
 * smallest unit that Stripe counts.
 */
export interface StripeSession {
  readonly id: string;
  /** `open`, `complete` or `expired`. */
  readonly status: string | null;
  /** `paid`, `unpaid` or `no_payment_required`. */
  readonly payment_status: string;
  /** Null once the session is not open any more. */
  readonly url: string | null;
  /** In epoch seconds. */
  readonly expires_at: number;
  readonly amount_total: number | null;
  readonly currency: string | null;
  /** Null until the buyer pays, and an id unless it was expanded. */
  readonly payment_intent: string | StripeIntent | null;
  /** Set where a card is kept without a payment, and an id unless it was expanded. */
  readonly setup_intent?: string | StripeSetup | null;
  /** `payment` or `setup`. */
  readonly mode?: string;
  /** Set where the card is kept for later charges. */
  readonly customer?: string | { readonly id: string } | null;
  readonly metadata: Metadata | null;
}

/** The gateway reads these fields of Stripe's PaymentIntent. */
export interface StripeIntent {
  readonly id: string;
  /**
   * `requires_payment_method`, `requires_action`, `processing`, `succeeded`,
   * `canceled`, …
   */
  readonly status: string;
  readonly amount: number;
  readonly amount_received: number;
  readonly currency: string;
  readonly client_secret: string | null;
  readonly cancellation_reason: string | null;
  readonly payment_method_types?: readonly string[];
  /** `off_session` where the card is kept for later charges. */
  readonly setup_future_usage?: string | null;
  readonly customer?: string | { readonly id: string } | null;
  readonly payment_method?: string | { readonly id: string } | null;
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

/** The gateway reads these fields of Stripe's SetupIntent. */
export interface StripeSetup {
  readonly id: string;
  /** `requires_payment_method`, `requires_action`, `processing`, `succeeded`, `canceled`, … */
  readonly status: string;
  readonly client_secret: string | null;
  readonly cancellation_reason: string | null;
  readonly customer: string | { readonly id: string } | null;
  readonly payment_method: string | { readonly id: string } | null;
  readonly metadata: Metadata | null;
}

/** The gateway reads these fields of a card that Stripe keeps. */
export interface StripePaymentMethod {
  readonly id: string;
  readonly type: string;
  readonly card?: {
    readonly brand: string;
    readonly last4: string;
    /** From 1 to 12. */
    readonly exp_month: number;
    readonly exp_year: number;
  };
}

/** The gateway reads these fields of a customer at Stripe. */
export interface StripeCustomer {
  readonly id: string;
  readonly metadata: Metadata;
}

/** The gateway reads these fields of Stripe's refund. */
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

/** The gateway reads these fields of Stripe's dispute. */
export interface StripeDispute {
  readonly id: string;
  /** `warning_…` for an inquiry, `needs_response`, `under_review`, `won`, `lost`, … */
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly payment_intent: string | StripeIntent | null;
  /** `due_by` is in epoch seconds. */
  readonly evidence_details?: { readonly due_by: number | null };
}

/** The gateway reads these fields of Stripe's event. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  /** The event is about this connected account. */
  readonly account?: string;
  /**
   * The object differs from type to type, so each field is read and checked by
   * itself. Thin events have no object.
   */
  readonly data?: { readonly object?: object };
}

/** The gateway writes this metadata on Stripe's objects, so that it finds them again. */
export type Metadata = Readonly<Record<string, string>>;

/** One request to Stripe takes these options. */
export interface StripeCall {
  readonly apiVersion: string;
  readonly idempotencyKey?: string;
  readonly stripeAccount?: string;
  /** In milliseconds. */
  readonly timeout: number;
  readonly maxNetworkRetries: number;
}

interface Expand {
  expand?: string[];
}

/** The gateway sends these fields of a Checkout Session. */
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
    setup_future_usage?: "off_session";
  };
  customer?: string;
  adaptive_pricing: { enabled: boolean };
  customer_email?: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string;
  /** In epoch seconds. */
  expires_at: number;
}

/** The gateway sends these fields of a Checkout Session that keeps a card without a payment. */
export interface SetupSessionParams
  extends Pick<
    SessionParams,
    "client_reference_id" | "metadata" | "success_url" | "cancel_url" | "expires_at"
  > {
  mode: "setup";
  payment_method_types: "card"[];
  customer: string;
  setup_intent_data: { description: string; metadata: Record<string, string> };
}

/** The gateway sends these fields of a SetupIntent. */
export interface SetupParams {
  customer: string;
  payment_method_types: "card"[];
  usage: "off_session";
  description: string;
  metadata: Record<string, string>;
}

/** The gateway sends these fields of a PaymentIntent. */
export interface IntentParams {
  amount: number;
  currency: string;
  capture_method: "automatic";
  payment_method_types: string[];
  description: string;
  receipt_email?: string;
  metadata: Record<string, string>;
  customer?: string;
  payment_method?: string;
  off_session?: boolean;
  setup_future_usage?: "off_session";
  confirm?: boolean;
  payment_method_data?: {
    type: "pix";
    billing_details: { name?: string; email?: string; tax_id?: string };
  };
  payment_method_options?: { pix: { expires_at: number } };
}

interface ListParams {
  /** The times are in epoch seconds, and both belong to the range. */
  created?: { gte: number; lte: number };
  limit: number;
}

/** A list of stripe-node, which asks for the next page when it is read that far. */
type Pages<T> = AsyncIterable<T>;

/**
 * The gateway calls these methods of a client of the package `stripe`, as `new
 * Stripe(key)` makes it.
 */
export interface StripeClient {
  readonly checkout: {
    readonly sessions: {
      create(params: SessionParams | SetupSessionParams, call: StripeCall): Promise<StripeSession>;
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
  readonly setupIntents: {
    create(params: SetupParams, call: StripeCall): Promise<StripeSetup>;
    retrieve(id: string, params: Expand, call: StripeCall): Promise<StripeSetup>;
    cancel(id: string, params: Expand, call: StripeCall): Promise<StripeSetup>;
    list(params: ListParams, call: StripeCall): Pages<StripeSetup>;
  };
  readonly customers: {
    create(
      params: { email?: string; name?: string; metadata: Record<string, string> },
      call: StripeCall,
    ): Promise<StripeCustomer>;
    list(params: { email: string; limit: number }, call: StripeCall): Pages<StripeCustomer>;
  };
  readonly paymentMethods: {
    retrieve(id: string, params: Expand, call: StripeCall): Promise<StripePaymentMethod>;
    detach(id: string, params: Expand, call: StripeCall): Promise<StripePaymentMethod>;
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
 * The gateway speaks this version of Stripe's API, whatever the version of the
 * client is. From 2026-09-30 on, Stripe refuses `payment_method_types`, by which a
 * payment has the one method that the buyer chose.
 */
const apiVersion = "2025-04-30.basil";

/**
 * Gives the options of a call. The gateway's call aborts after 120 s, and
 * maintenance counts a payment that the provider does not know as never begun after
 * 150 s. So one request and its one retry end before that, whatever the client's
 * own settings are.
 */
export const callOf = (account: string | null, idempotencyKey?: string): StripeCall => ({
  apiVersion,
  timeout: 25_000,
  maxNetworkRetries: 1,
  ...(account !== null && { stripeAccount: account }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});
