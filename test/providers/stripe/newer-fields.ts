/** A parameter that Stripe's API has and our copy of its document does not. */
interface NewerField {
  readonly method: string;
  readonly path: string;
  /** The names from the outermost to the innermost, with dots between. */
  readonly field: string;
  readonly changelog: string;
}

const sdk = "https://github.com/stripe/stripe-node/blob/master/CHANGELOG.md";

/** The judge takes these fields out before it judges a request. */
export const newerFields: readonly NewerField[] = [
  {
    method: "POST",
    path: "/v1/checkout/sessions",
    field: "adaptive_pricing",
    changelog: "https://docs.stripe.com/changelog/acacia/2024-11-20/adaptive-pricing-param",
  },
  {
    method: "POST",
    path: "/v1/payment_intents",
    field: "payment_method_data.billing_details.tax_id",
    changelog: `${sdk}#18-1-0`,
  },
  { method: "GET", path: "/v1/checkout/sessions", field: "created", changelog: `${sdk}#14-7-0` },
];

/** Types of events that the document does not list. */
export const newerEvents: readonly { readonly type: string; readonly changelog: string }[] = [
  { type: "refund.failed", changelog: `${sdk}#17-3-0` },
];
