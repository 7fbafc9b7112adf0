import type {
  PaymentGateway,
  PaymentQuery,
  PaymentRequest,
} from "../../payments/gateway/gateway.ts";
import type { GatewayMessage } from "../../payments/gateway/gateway-message.ts";
import type { PaymentResult } from "../../payments/gateway/gateway-results.ts";
import type { Assert } from "../conformance/fixtures/case.ts";

/** The provider's test mode is given this so that a payment ends in one way. */
export type GatewayInput = Readonly<Record<string, unknown>>;

/** Makes messages as the provider sends them, with its signature. */
export interface ProviderMessages {
  /** Tells that the payment of a request has succeeded. */
  payment(request: PaymentRequest, result: PaymentResult): Promise<GatewayMessage>;
  /** Refunds a part of a payment from the provider's side, and tells of it. */
  refund(result: PaymentResult, amount: number): Promise<GatewayMessage>;
  /**
   * The buyer pays a second time what was asked for once: this is other money under
   * the same reference. Null means that the provider takes what was asked for only
   * once.
   */
  readonly secondPayment: ProviderMessages["payment"] | null;
}

/** Each case of the gateway suite gets these values. */
export interface GatewayContext {
  readonly gateway: PaymentGateway;
  readonly assert: Assert;
  /** Gives the time in epoch milliseconds. It is `Date.now` where the provider is a real one. */
  now(): number;
  /** With this input a payment succeeds at once. */
  readonly succeeds: GatewayInput;
  /** With this input a payment is declined. */
  readonly declines: GatewayInput;
  /**
   * With this input a payment waits for the buyer. Null means that no method of the
   * gateway waits.
   */
  readonly waits: GatewayInput | null;
  /**
   * Null means that the provider sends no messages, or its test mode cannot be made
   * to send one.
   */
  readonly messages: ProviderMessages | null;
  /** Makes a request with ids of its own. */
  request(input: GatewayInput, changes?: Partial<PaymentRequest>): PaymentRequest;
  /** Names the payment of a request. */
  query(request: PaymentRequest, changes?: Partial<PaymentQuery>): PaymentQuery;
}

/** One rule of the gateway port. A correct gateway passes every case in its test mode. */
export interface GatewayCase {
  readonly name: string;
  run(context: GatewayContext): Promise<void>;
}
