import { createMoneyFormat } from "vitrine/money";

// The page is in the language that the browser prefers, as the checkout page is.
const locale = document.documentElement.lang === "pt" ? "pt-BR" : "en";
const formats = new Map<string, (amount: number) => string>();

/** Writes minor units as the checkout page writes them. */
export function money(amount: number, currency: string): string {
  const format = formats.get(currency) ?? createMoneyFormat(currency, { locale });
  formats.set(currency, format);
  return format(amount);
}
