// This file is compiled by `tsc` and never run. The real client of stripe-node must fit the parts
// of it that the gateway describes.
import Stripe from "stripe";
import { type StripeClient, stripeGateway } from "vitrine/stripe";
import type {
  IntentParams,
  SessionParams,
  SetupParams,
  SetupSessionParams,
} from "../../adapters/payments/stripe/client.ts";

const stripe = new Stripe("sk_test_1");
stripe satisfies StripeClient;
stripeGateway({ stripe, webhookSecret: "whsec_1", livemode: false });

// A method's arguments are compared in both directions, so a field that Stripe does not know would
// pass above. Here it would not.
// The gateway speaks an older version of the API, which has one field more: stripe 23 dropped it,
// see https://docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions
type Unknown<Ours, Theirs> = Exclude<keyof Ours, keyof Theirs | "payment_method_types">;
type Nothing<T extends never> = T;

export type UnknownFields = Nothing<
  | Unknown<SessionParams, Stripe.Checkout.SessionCreateParams>
  | Unknown<
      SessionParams["payment_intent_data"],
      Stripe.Checkout.SessionCreateParams.PaymentIntentData
    >
  | Unknown<IntentParams, Stripe.PaymentIntentCreateParams>
  | Unknown<SetupSessionParams, Stripe.Checkout.SessionCreateParams>
  | Unknown<SetupParams, Stripe.SetupIntentCreateParams>
>;
({}) as SessionParams satisfies Stripe.Checkout.SessionCreateParams;
({}) as IntentParams satisfies Stripe.PaymentIntentCreateParams;
({}) as SetupSessionParams satisfies Stripe.Checkout.SessionCreateParams;
({}) as SetupParams satisfies Stripe.SetupIntentCreateParams;

// @ts-expect-error The client is handed in, not the key.
stripeGateway({ stripe: "sk_test_1", webhookSecret: "whsec_1", livemode: false });
