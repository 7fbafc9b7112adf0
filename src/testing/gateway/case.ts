import type { PaymentGateway, PaymentQuery, PaymentRequest } from "../../payments/gateway.ts";
import type { Assert } from "../conformance/case.ts";

/** What the provider's test mode is given so that a payment ends in one way. */
export type GatewayInput = Readonly<Record<string, unknown>>;

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
