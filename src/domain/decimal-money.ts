import { remember } from "./async/remember.ts";
import { createMoneyFormat } from "./money.ts";

const plainFormat = remember(100, (currency: string) =>
  createMoneyFormat(currency, { locale: "en", currencyDisplay: "code" }),
);

/** Writes minor units as a plain number in the currency's main unit: `9800` BRL is `98.00`. */
export function decimalMoney(amount: number, currency: string): string {
  const text = plainFormat(currency)(Math.abs(amount));
  // English uses digits, commas between thousands and a point. Only digits and the point stay.
  return `${amount < 0 ? "-" : ""}${text.replace(/[^\d.]/g, "")}`;
}
