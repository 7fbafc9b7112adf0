import { createMoneyFormat } from "../domain/money.ts";
import { typedNumber } from "./format.ts";

/**
 * Writes minor units as they are typed into a field: `9800` BRL is `98,00` in
 * Portuguese. Without a currency it is a plain number.
 */
export function amountInput(amount: number, currency: string | null, locale: string): string {
  if (currency === null) return typedNumber(String(amount), locale);

  // English writes digits, commas between thousands and a point: without the rest it is plain.
  const text = createMoneyFormat(currency, { locale: "en", currencyDisplay: "code" })(amount);
  return typedNumber(text.replace(/[^\d.]/g, ""), locale);
}
