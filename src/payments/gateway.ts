import type { FailureCode, PaymentMethod } from "../contract/schemas.ts";

/** The state of a payment, in a gateway's answer, look-up or notification. */
export interface PaymentResult {
  /** `requires_action`: the buyer must first visit `redirect_url`. */
  readonly status: "succeeded" | "pending" | "requires_action" | "failed";
  /** The gateway's own id of the payment. */
  readonly reference: string;
  /** Minor units: what the buyer is charged, as the provider says. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The gateway's page where the buyer continues, e.g. for 3-D Secure or a boleto. */
  readonly redirect_url?: string;
  /** Why a `failed` payment failed; `declined` when it is left out. */
  readonly failure_code?: FailureCode;
  /** Epoch milliseconds: the buyer can pay until then. */
  readonly expires_at?: number;
  /**
   * A chargeback of this payment: the paid order becomes `chargeback`. A repeat with the same
   * reference changes nothing.
   */
  readonly dispute?: {
    readonly reference: string;
    /** Minor units; the whole payment when it is left out. */
    readonly amount?: number;
    readonly reason?: string;
    /** Epoch milliseconds: evidence is accepted until then. */
    readonly due_by?: number;
  };
}

export interface PaymentRequest {
  /**
   * `pay_…`: send it to the provider as the idempotency key. One id must never charge the buyer
   * twice.
   */
  readonly id: string;
  readonly order_id: string;
  readonly store_id: string;
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly method: Pick<PaymentMethod, "id" | "type">;
  /**
   * What the hosted page collected for the gateway, e.g. a card token or the number of
   * installments. It is never stored.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /** Where the gateway's own page sends the buyer back to. */
  readonly return_url: string;
  /** Epoch milliseconds: without a result by then the payment counts as failed. */
  readonly expires_at: number;
  /** Aborts after 30 s, when the answer is no longer waited for. */
  readonly signal: AbortSignal;
}

export interface GatewayNotification extends PaymentResult {
  /** Unique per notification: a repeated id changes nothing. */
  readonly notification_id: string;
  /**
   * Our own id of the payment (`pay_…`), if the provider returns it. It identifies a payment whose
   * notification arrives before the answer that brings `reference`.
   */
  readonly payment_id?: string;
}

/**
 * A payment provider. Every result, a failed one too, is a return value. An exception or a timeout
 * (30 s) means that the result is unknown: the payment stays open until `getPayment` or a
 * notification gives its result (docs/contract.md#payments).
 */
export interface PaymentGateway {
  /** The name of the gateway: payment methods of the store refer to it. */
  readonly id: string;
  readonly livemode: boolean;
  /** Suggests payment methods to the owner. A method is offered only once the owner creates it. */
  methods(): readonly Pick<PaymentMethod, "type" | "name">[];
  /** Must be idempotent by `id`. */
  createPayment(request: PaymentRequest): Promise<PaymentResult>;
  /** Returns null when the provider has no record of the payment: nothing was charged then. */
  getPayment?(query: {
    readonly id: string;
    /** Null when the provider's answer to `createPayment` was lost. */
    readonly reference: string | null;
    readonly signal: AbortSignal;
  }): Promise<PaymentResult | null>;
  /** Called for a payment past its `expires_at`, before its result is looked up once more. */
  cancelPayment?(query: {
    readonly id: string;
    readonly reference: string | null;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Must be idempotent by `id`. After `pending`, maintenance calls again with the same id. */
  refund?(request: {
    readonly id: string;
    /** The `reference` of the payment to refund. */
    readonly reference: string;
    /** Minor units. */
    readonly amount: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly status: "succeeded" | "failed" | "pending" }>;
  /**
   * Checks the provider's signature and reads the message. Returns null for a message to ignore:
   * one with a wrong signature, or about nothing of ours.
   */
  parseNotification?(message: {
    /** The body as it was received: signatures are made over these bytes. */
    readonly body: Uint8Array;
    /** Gives a header's value by its name, in any case. */
    header(name: string): string | undefined;
  }): Promise<GatewayNotification | null>;
}
