import { plainAmount, typedNumber } from "./format.ts";

/**
 * Writes minor units as they are typed into a field: `9800` BRL is `98,00` in
 * Portuguese. Without a currency it is a plain number.
 */
export function amountInput(amount: number, currency: string | null, locale: string): string {
  if (currency === null) return typedNumber(String(amount), locale);

  return typedNumber(plainAmount(amount, currency), locale);
}
