// The gateway reads these objects of Stripe, of the version of the API that it speaks.

/**
 * A Checkout Session. The currency is in lower case, and amounts are in the currency's smallest
 * unit, as Stripe counts it.
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

/** The fields of Stripe's PaymentIntent that the gateway reads. */
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
  /** An id unless it was expanded. */
  readonly latest_charge?: string | StripeCharge | null;
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

/** The fields of the charge of an intent that the gateway reads. */
export interface StripeCharge {
  readonly id: string;
  /** Null until Stripe has booked the money, and an id unless it was expanded. */
  readonly balance_transaction: string | StripeBalanceTransaction | null;
}

/** A charge of a PaymentIntent, or an attempt of a SetupIntent: one card that was tried. */
export interface StripeTry {
  /** `failed` where the card was refused. */
  readonly status: string;
}

/** What a charge did to the balance of its account. */
export interface StripeBalanceTransaction {
  readonly id: string;
  /** The currency of the balance, in lower case. It may be another one than the charge's. */
  readonly currency: string;
  /** All that was kept: Stripe's fee, its tax and a platform's application fee. */
  readonly fee: number;
}

/** The fields of Stripe's SetupIntent that the gateway reads. */
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

/** The fields of a customer at Stripe that the gateway reads. */
export interface StripeCustomer {
  readonly id: string;
  readonly metadata: Metadata;
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
  /** `due_by` is in epoch seconds. */
  readonly evidence_details?: { readonly due_by: number | null };
}

/** The fields of Stripe's event that the gateway reads. */
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
