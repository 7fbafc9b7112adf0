/**
 * The form of a provider that a page shows by the provider's own script, e.g. Stripe's Payment
 * Element. The checkout page lets exactly these origins in, and only while a payment waits that
 * the gateway has answered with a `client_secret`.
 */
export interface PaymentElement {
  /** The address of the provider's script. */
  readonly script: string;
  /**
   * The origins that the page's policy names beside its own: `https://host`, `https://*.host`, or
   * `http` on this machine.
   */
  readonly origins: {
    readonly script: readonly string[];
    readonly connect: readonly string[];
    readonly frame: readonly string[];
  };
  /**
   * The text of a JavaScript function that the page serves as its own file and calls once with the
   * element to fill and an `ElementFacts`. It resolves, once the form can be filled in, to a
   * function that pays and resolves to an `ElementOutcome`. When it throws, the page asks the
   * gateway what became of the payment.
   */
  readonly mount: string;
}

/** What the script of a `PaymentElement` is told. */
export interface ElementFacts {
  readonly client_secret: string;
  readonly publishable_key: string;
  /** The store's account at the provider. Null means that the host has one for all stores. */
  readonly account: string | null;
  /** The reader's, like `pt-BR`. */
  readonly locale: string;
  /** The provider leads the buyer back to this address where it has led them away. */
  readonly return_url: string;
  /** True in the dark colour scheme. */
  readonly dark: boolean;
  /** The page's colours, as `#rrggbb`. */
  readonly colors: Readonly<Record<"ink" | "soft" | "paper" | "edge" | "brand" | "bad", string>>;
}

/** What became of the buyer's try to pay. The truth is the gateway's answer, as always. */
export type ElementOutcome =
  /** The provider has taken the payment, or it is over: the page asks the gateway. */
  | { readonly status: "ended" }
  /** Something was typed wrongly, and the form says what. */
  | { readonly status: "typed" }
  /** The provider's own code of a refusal; the buyer may try again. */
  | { readonly status: "refused"; readonly code: string };
