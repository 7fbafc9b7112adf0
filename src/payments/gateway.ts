import type { FailureCode, PaymentMethod } from "../contract/schemas.ts";

/** What a payment is, as the gateway tells it now. The same shape for the answer, a look-up and a notification. */
export interface PaymentResult {
  readonly status: "succeeded" | "pending" | "requires_action" | "failed";
  /** The gateway's own id of the payment. */
  readonly reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Where the buyer goes on (3-D Secure, a boleto). */
  readonly redirect_url?: string;
  readonly failure_code?: FailureCode;
  /** Epoch milliseconds until when the buyer may still pay. */
  readonly expires_at?: number;
  /** A chargeback of this payment: the paid order becomes `chargeback`. Repeats with the same reference change nothing. */
  readonly dispute?: {
    readonly reference: string;
    readonly amount?: number;
    readonly reason?: string /** Epoch milliseconds. */;
    readonly due_by?: number;
  };
}

export interface PaymentRequest {
  /** `pay_…`: use it as the idempotency key towards the provider; the same id must never charge twice. */
  readonly id: string;
  readonly order_id: string;
  readonly store_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: Pick<PaymentMethod, "id" | "type">;
  /** What the hosted page collected for the gateway: a card token, an installment choice. Never stored. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly return_url: string;
  /** Epoch milliseconds. */
  readonly expires_at: number;
  readonly signal: AbortSignal;
}

export interface GatewayNotification extends PaymentResult {
  /** Unique per notification: repeats are no-ops. */
  readonly notification_id: string;
  /** Our own id of the payment (`pay_…`), where the provider hands it back: a message may overtake the answer that brings the reference. */
  readonly payment_id?: string;
}

/**
 * A payment provider. Results are values; a throw or a timeout (30 s) means *unknown*: the attempt stays in flight until `getPayment`
 * or a notification tells (CONTRACT 6).
 */
export interface PaymentGateway {
  readonly id: string;
  readonly livemode: boolean;
  /** Proposals for the owner's payment methods; nothing is listed by itself. */
  methods(): readonly Pick<PaymentMethod, "type" | "name">[];
  /** Idempotent by `id`. */
  createPayment(request: PaymentRequest): Promise<PaymentResult>;
  /** Null: the provider has never heard of it. */
  getPayment?(query: {
    readonly id: string;
    readonly reference: string | null;
    readonly signal: AbortSignal;
  }): Promise<PaymentResult | null>;
  cancelPayment?(query: {
    readonly id: string;
    readonly reference: string | null;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Idempotent by `id`. `pending`: maintenance asks again with the same id. */
  refund?(request: {
    readonly id: string;
    readonly reference: string;
    readonly amount: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly status: "succeeded" | "failed" | "pending" }>;
  /** Checks the provider's signature and reads the message; null when it is none of ours. */
  parseNotification?(message: {
    readonly body: Uint8Array;
    header(name: string): string | undefined;
  }): Promise<GatewayNotification | null>;
}
