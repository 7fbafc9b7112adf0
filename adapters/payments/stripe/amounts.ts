/**
 * Says how many of Stripe's units one of our minor units is, where Stripe counts
 * otherwise than ISO 4217: https://docs.stripe.com/currencies#special-cases. All
 * other currencies are equal.
 */
const stripeUnits: Readonly<Record<string, number>> = { ISK: 100, UGX: 100, MGA: 0.01 };

/** Stripe takes amounts of these three-digit currencies only when they end in 0. */
const endsInZero: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** Gives Stripe's amount for ours, and null when Stripe cannot charge it. */
export function toStripeAmount(amount: number, currency: string): number | null {
  if (endsInZero.has(currency) && amount % 10 !== 0) return null;

  const converted = times(amount, stripeUnits[currency] ?? 1);
  return Number.isSafeInteger(converted) ? converted : null;
}

/**
 * Gives our amount for Stripe's, whose currency may be written in lower case.
 * Throws when it is no whole number of our minor units.
 */
export function fromStripeAmount(amount: number, currency: string): number {
  const converted = convert(amount, currency);
  if (Number.isSafeInteger(converted)) return converted;
  throw new Error(`Stripe told an amount of ${amount} ${currency}, which has too many digits.`);
}

/** Gives a fee of Stripe's in whole minor units of ours: Stripe counts parts of a króna. */
export const roundedFee = (fee: number, currency: string): number =>
  Math.round(convert(fee, currency));

const convert = (amount: number, currency: string): number =>
  times(amount, 1 / (stripeUnits[currency.toUpperCase()] ?? 1));

/** Multiplies. It divides by 100 instead of multiplying by 0.01, which is no exact number. */
const times = (amount: number, factor: number): number =>
  factor < 1 ? amount / Math.round(1 / factor) : amount * factor;
