/**
 * The reasons for a dispute, grouped by the proof that answers them. The codes are Stripe's
 * (https://docs.stripe.com/disputes/categories), whose names other providers use too.
 */
const codes = {
  fraud: ["fraudulent", "debit_not_authorized"],
  unrecognized: ["unrecognized"],
  not_received: ["product_not_received"],
  unacceptable: ["product_unacceptable"],
  duplicate: ["duplicate"],
  not_refunded: ["credit_not_processed"],
  subscription: ["subscription_canceled"],
  bank: [
    "bank_cannot_process",
    "check_returned",
    "customer_initiated",
    "general",
    "incorrect_account_details",
    "insufficient_funds",
    "noncompliant",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Why a payment is disputed, as far as the answer depends on it. */
export type DisputeReason = keyof typeof codes;

const names = Object.keys(codes) as readonly DisputeReason[];
const reasons: ReadonlyMap<string, DisputeReason> = new Map(
  names.flatMap((name) => codes[name].map((code) => [code, name] as const)),
);

/** Gives what a provider's reason means. Null for one that is not in the table. */
export const disputeReason = (code: string): DisputeReason | null => reasons.get(code) ?? null;
