import { invalidOption, type OptionNames, requireOptions } from "#core/input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "#core/input/option-kinds.ts";
import type { PaymentGateway } from "#core/payments/gateway/gateway.ts";
import { toStripeAmount } from "./stripe/amounts.ts";
import type { StripeClient } from "./stripe/client.ts";
import { createPayment } from "./stripe/create.ts";
import { stripeElement } from "./stripe/element.ts";
import { cancelPayment, getPayment } from "./stripe/look-up.ts";
import { readMessage } from "./stripe/messages.ts";
import { createRefund, getRefund } from "./stripe/refunds.ts";
import type { Flow, Reading } from "./stripe/results.ts";
import { chargeSaved, forgetSaved } from "./stripe/saved.ts";
import { saveMethod } from "./stripe/setups.ts";

export type {
  IntentParams,
  SessionParams,
  SetupParams,
  SetupSessionParams,
  StripeCall,
  StripeClient,
} from "./stripe/client.ts";
export type {
  Metadata,
  StripeBalanceTransaction,
  StripeCharge,
  StripeCustomer,
  StripeDispute,
  StripeEvent,
  StripeIntent,
  StripePaymentMethod,
  StripeRefund,
  StripeSession,
  StripeSetup,
  StripeTry,
} from "./stripe/objects.ts";
export type { Flow } from "./stripe/results.ts";

/** The options of `stripeGateway`. */
export interface StripeOptions {
  /** Your client: `new Stripe(key)` of the package `stripe`, version 18 or later. */
  readonly stripe: StripeClient;
  /**
   * The signing secrets (`whsec_…`) of the webhook endpoints at Stripe. There are several while one
   * is replaced, or where connected accounts have an endpoint of their own.
   */
  readonly webhookSecret: string | readonly string[];
  /** True for the client of a live key. */
  readonly livemode: boolean;
  /**
   * Names the connected account (`acct_…`) of a store, for a platform. Charges are
   * made on it directly.
   */
  account?(store_id: string): string | null | Promise<string | null>;
  /**
   * The default is `checkout`: buyers pay by card or boleto on Stripe's page. With `element`
   * they pay cards, Apple Pay and Google Pay on the checkout page itself, by Stripe's Payment
   * Element, and on Stripe's page where no script runs. With `payment_intents` they pay on a
   * page of yours, which needs `next_action.client_secret`.
   */
  readonly flow?: Flow | undefined;
  /** The `pk_…` for Stripe's script, which the flows `element` and `payment_intents` need. */
  readonly publishableKey?: string | undefined;
  /** Gives the time in epoch milliseconds. It is `Date.now` by default. */
  now?(): number;
}

/**
 * Takes cards, boleto and Pix with Stripe. Buyers pay cards and boleto on Stripe's
 * page, and Pix with the code that the checkout page shows. Stripe's messages go to
 * `checkout.handleNotification("stripe", …)`.
 *
 * Throws `invalid_option` for a wrong option.
 */
export function stripeGateway(options: StripeOptions): PaymentGateway {
  requireOptions(options, "stripeGateway");
  refuseWrongOptions(options, optionKinds);
  const { stripe, livemode, account, flow = "checkout", publishableKey = null } = options;
  const secrets = readSecrets(options);
  checkClient(options);
  checkFlow(options);

  const now = options.now ?? Date.now;
  const reading = (of: string | null): Reading => ({ now: now(), publishableKey, account: of });
  const reader = { stripe, secrets, livemode, takesAccounts: account !== undefined, reading };

  return {
    id: "stripe",
    livemode,
    provider: "Stripe",
    ...(flow === "element" && { element: stripeElement }),
    ...(account && { account }),
    methods: () => [
      { type: "card", name: "Card" },
      { type: "boleto", name: "Boleto" },
      { type: "pix", name: "Pix" },
    ],
    refusal({ amount, currency, method }) {
      const isBrazilian = method.type === "boleto" || method.type === "pix";
      const isCharged = toStripeAmount(amount, currency) !== null;
      return isCharged && (!isBrazilian || currency === "BRL") ? null : "currency_mismatch";
    },
    createPayment: (request) =>
      createPayment(stripe, request, { flow, reading: reading(request.account) }),
    savedTypes: ["card"],
    keeps: ({ method }) => (method.type === "card" ? "always" : "never"),
    saveMethod: (request) =>
      saveMethod(stripe, request, { flow, reading: reading(request.account) }),
    chargeSaved: (request) => chargeSaved(stripe, request, reading(request.account)),
    forgetSaved: (query) => forgetSaved(stripe, query),
    getPayment: (query) => getPayment(stripe, query, reading(query.account)),
    cancelPayment: (query) => cancelPayment(stripe, query, reading(query.account)),
    refund: (request) => createRefund(stripe, request),
    getRefund: (query) => getRefund(stripe, query),
    parseNotification: (message) => readMessage(reader, message),
  };
}

/** `true` stands where a check below has a better sentence. */
const optionKinds: OptionNames<StripeOptions, OptionKind> = {
  stripe: true,
  webhookSecret: true,
  livemode: true,
  account: "function",
  flow: true,
  publishableKey: true,
  now: "function",
};

function readSecrets({ webhookSecret }: StripeOptions): readonly string[] {
  const secrets = [webhookSecret].flat();
  const isWrong = (secret: unknown) => typeof secret !== "string" || !/^whsec_\S+$/.test(secret);
  if (secrets.length === 0 || secrets.some(isWrong))
    invalidOption(
      "webhookSecret",
      "must be the signing secret of your endpoint at Stripe, or a list of them: whsec_…",
    );
  return secrets;
}

/** Tells a host that hands in the key, or a client of another package, what is meant. */
function checkClient({ stripe, livemode }: StripeOptions): void {
  const isClient =
    typeof stripe?.checkout?.sessions?.create === "function" &&
    typeof stripe.webhooks?.constructEventAsync === "function";
  if (!isClient) invalidOption("stripe", "must be a client of the package stripe: new Stripe(key)");
  if (typeof livemode !== "boolean")
    invalidOption("livemode", "must be true for a live key, and false for a test key");
}

function checkFlow({ flow = "checkout", publishableKey, livemode }: StripeOptions): void {
  if (flow !== "checkout" && flow !== "element" && flow !== "payment_intents")
    invalidOption("flow", "must be checkout, element or payment_intents");
  if (flow === "checkout" && publishableKey === undefined) return;

  const prefix = livemode ? "pk_live_" : "pk_test_";
  if (!publishableKey?.startsWith(prefix))
    invalidOption("publishableKey", `must be the publishable key of the same mode: ${prefix}…`);
}
