/**
 * Groups what providers call a refusal by what the buyer can do about it. The codes are Stripe's
 * (https://docs.stripe.com/declines/codes), whose names other providers use too.
 */
const codes = {
  funds: ["insufficient_funds"],
  limit: ["card_velocity_exceeded", "withdrawal_count_limit_exceeded"],
  card_expired: ["expired_card"],
  card_details: [
    "incorrect_address",
    "incorrect_number",
    "incorrect_zip",
    "invalid_account",
    "invalid_expiry_month",
    "invalid_expiry_year",
    "invalid_number",
    "new_account_information_available",
  ],
  security_code: ["incorrect_cvc", "invalid_cvc"],
  confirmation: [
    "authentication_not_handled",
    "authentication_required",
    "incorrect_pin",
    "invalid_pin",
    "mobile_device_authentication_required",
    "offline_pin_required",
    "online_or_offline_pin_required",
    "payment_intent_authentication_failure",
    "pin_try_exceeded",
  ],
  not_supported: ["card_not_supported", "currency_not_supported", "invalid_amount"],
  bank: [
    "call_issuer",
    "do_not_honor",
    "do_not_try_again",
    "generic_decline",
    "no_action_taken",
    "not_permitted",
    "security_violation",
    "service_not_allowed",
    "transaction_not_allowed",
  ],
  later: [
    "approve_with_id",
    "issuer_not_available",
    "processing_error",
    "reenter_transaction",
    "try_again_later",
  ],
  revoked: [
    "revocation_of_all_authorizations",
    "revocation_of_authorization",
    "stop_payment_order",
  ],
  repeated: ["duplicate_transaction"],
  test_card: ["live_mode_test_card", "test_mode_live_card", "testmode_decline"],
  // The buyer reads the same as of a bank that gives no reason: the card may be in a thief's hand.
  lost: ["lost_card", "pickup_card", "restricted_card", "stolen_card"],
  fraud: ["fraudulent", "merchant_blacklist"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What stands behind a refusal, as far as it changes what the buyer can do. */
export type DeclineReason = keyof typeof codes;

const reasons: ReadonlyMap<string, DeclineReason> = new Map(
  (Object.keys(codes) as DeclineReason[]).flatMap((reason) =>
    codes[reason].map((code) => [code, reason] as const),
  ),
);

/** Gives null for a code that says no more than that the payment was refused. */
export const declineReason = (code: string | null | undefined): DeclineReason | null =>
  reasons.get(code ?? "") ?? null;

/**
 * The reasons that a buyer is told. A buyer does not read that a card counts as stolen or a payment
 * as fraud: who has stolen the card would learn from it.
 */
const toldToBuyers = [
  "funds",
  "limit",
  "card_expired",
  "card_details",
  "security_code",
  "confirmation",
  "not_supported",
  "bank",
  "later",
] as const satisfies readonly DeclineReason[];

/** Why a payment was refused, as far as its buyer may know. */
export type BuyerReason = (typeof toldToBuyers)[number];

/** Gives null where a buyer reads no more than that the payment was refused. */
export function buyerReason(code: string | null | undefined): BuyerReason | null {
  const reason = declineReason(code);
  return toldToBuyers.find((told) => told === reason) ?? null;
}

/** Tells a provider's own code of a refusal (`insufficient_funds`) from any other value. */
export const isDeclineCode = (code: unknown): code is string =>
  typeof code === "string" && /^[\w.-]{1,64}$/.test(code);
