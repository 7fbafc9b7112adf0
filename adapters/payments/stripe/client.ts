// The gateway uses these parts of stripe-node. They are described here, so that the
// host brings the package and its version; test/types/stripe.types.ts holds them
// beside its own types.
import { minuteMs } from "#core/domain/durations.ts";
import type {
  StripeCustomer,
  StripeDispute,
  StripeEvent,
  StripeIntent,
  StripePaymentMethod,
  StripeRefund,
  StripeSession,
  StripeSetup,
  StripeTry,
} from "./objects.ts";

/** The most by which the clocks of this machine and of Stripe may differ. */
export const aroundMs = 10 * minuteMs;

/** The options of one request to Stripe. */
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

/** The fields of a SetupIntent that the gateway sends. */
export interface SetupParams {
  customer: string;
  payment_method_types: "card"[];
  usage: "off_session";
  description: string;
  metadata: Record<string, string>;
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
  created?: { gte: number; lte?: number };
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
    cancel(
      id: string,
      params: { cancellation_reason?: "fraudulent" },
      call: StripeCall,
    ): Promise<StripeIntent>;
    list(params: ListParams & { customer?: string }, call: StripeCall): Pages<StripeIntent>;
  };
  readonly setupIntents: {
    create(params: SetupParams, call: StripeCall): Promise<StripeSetup>;
    retrieve(id: string, params: Expand, call: StripeCall): Promise<StripeSetup>;
    cancel(
      id: string,
      params: { cancellation_reason?: "duplicate" },
      call: StripeCall,
    ): Promise<StripeSetup>;
    list(params: ListParams, call: StripeCall): Pages<StripeSetup>;
  };
  readonly charges: {
    list(params: { payment_intent: string; limit: number }, call: StripeCall): Pages<StripeTry>;
  };
  readonly setupAttempts: {
    list(params: { setup_intent: string; limit: number }, call: StripeCall): Pages<StripeTry>;
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
 * Gives the options of a call, which replace the settings of the client. A call is aborted after
 * 120 s, including its one retry. This must be sooner than 150 s: a payment that the provider does
 * not know after that time counts as never begun.
 */
export const callOf = (account: string | null, idempotencyKey?: string): StripeCall => ({
  apiVersion,
  timeout: 25_000,
  maxNetworkRetries: 1,
  ...(account !== null && { stripeAccount: account }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});
