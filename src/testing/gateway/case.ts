import type {
  PaymentGateway,
  PaymentQuery,
  PaymentRequest,
  PaymentResult,
} from "../../payments/gateway.ts";
import type { GatewayMessage } from "../../payments/gateway-message.ts";
import type { Assert } from "../conformance/case.ts";

/** What the provider's test mode is given so that a payment ends in one way. */
export type GatewayInput = Readonly<Record<string, unknown>>;

/** Makes messages as the provider sends them, with its signature. */
export interface ProviderMessages {
  /** Tells that the payment of a request has succeeded. */
  payment(request: PaymentRequest, result: PaymentResult): Promise<GatewayMessage>;
  /** Refunds a part of a payment from the provider's side, and tells of it. */
  refund(result: PaymentResult, amount: number): Promise<GatewayMessage>;
  /**
   * The buyer pays once more what was asked for once: other money under the same
   * reference. Null: the provider takes what was asked for once only.
   */
  readonly secondPayment: ProviderMessages["payment"] | null;
}

/** The values that each case of the gateway suite gets. */
export interface GatewayContext {
  readonly gateway: PaymentGateway;
  readonly assert: Assert;
  /** The clock, in epoch milliseconds: `Date.now` where the provider is a real one. */
  now(): number;
  /** The input with which a payment succeeds at once. */
  readonly succeeds: GatewayInput;
  /** The input with which it is declined. */
  readonly declines: GatewayInput;
  /** The input with which it waits for the buyer. Null: no method of the gateway waits. */
  readonly waits: GatewayInput | null;
  /** Null: the provider sends no messages, or its test mode cannot be made to send one. */
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
