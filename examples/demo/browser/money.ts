import { createMoneyFormat } from "vitrine/money";

// The checkout page speaks English and Portuguese, and chooses between them in the same way.
const locale = /^pt\b/i.test(navigator.language) ? "pt-BR" : "en";
const formats = new Map<string, (amount: number) => string>();

/** Writes minor units as the checkout page writes them. */
export function money(amount: number, currency: string): string {
  const format = formats.get(currency) ?? createMoneyFormat(currency, { locale });
  formats.set(currency, format);
  return format(amount);
}
