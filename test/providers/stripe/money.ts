import { invalidRequest } from "./fault.ts";

const wholeOnly: ReadonlySet<string> = new Set(["isk", "ugx"]);
const endsInZero: ReadonlySet<string> = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);
const least = 50;

/** Refuses the amounts that Stripe refuses: https://docs.stripe.com/currencies. */
export function checkMoney(amount: number, currency: string): number {
  if (!/^[a-z]{3}$/.test(currency))
    throw invalidRequest(`Invalid currency: ${currency}.`, { param: "currency" });
  if (amount < least)
    throw invalidRequest("The amount is below the least that Stripe charges.", {
      code: "amount_too_small",
      param: "amount",
    });
  const isWrong =
    (wholeOnly.has(currency) && amount % 100 !== 0) ||
    (endsInZero.has(currency) && amount % 10 !== 0);
  if (isWrong)
    throw invalidRequest(`Invalid amount for ${currency}: ${amount}.`, { param: "amount" });
  return amount;
}
