import { remember } from "../../domain/async/remember.ts";
import { decimalMoney } from "../../domain/decimal-money.ts";
import { createMoneyFormat, parseMoney } from "../../domain/money.ts";
import { numberSigns } from "../../domain/text/number-signs.ts";
import { plainNumber, typedNumber } from "../format.ts";
import type { TextName } from "../language.ts";

/**
 * Writes minor units as they are typed into a field: `9800` BRL is `98,00` in
 * Portuguese. Without a currency it is a plain number.
 */
export function amountInput(amount: number, currency: string | null, locale: string): string {
  if (currency === null) return typedNumber(String(amount), locale);

  return typedNumber(decimalMoney(amount, currency), locale);
}

const maxFormats = 100;

/** Gives what a currency is called before or behind an amount, the longest first: `BRL`, `R$`. */
const namesOf = remember(maxFormats, (key: string): readonly string[] => {
  const [currency = "XXX", locale = "en"] = key.split("|");
  const named = (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
    [locale, "en"].map((each) => createMoneyFormat(currency, { locale: each, currencyDisplay })(0)),
  );
  const signs = named.map((text) => text.replace(/[\d.,\s\u00a0\u202f]/g, "").toLowerCase());
  const names = [currency.toLowerCase(), ...signs].filter((name) => name !== "");
  return [...new Set(names)].sort((a, b) => b.length - a.length);
});

/** Takes the currency away from a copied amount: `R$ 12,00` is `12,00`. */
function withoutCurrency(text: string, currency: string, locale: string): string {
  const typed = text.trim();
  const lower = typed.toLowerCase();
  for (const name of namesOf(`${currency}|${locale}`)) {
    if (lower.startsWith(name)) return typed.slice(name.length).trim();
    if (lower.endsWith(name)) return typed.slice(0, -name.length).trim();
  }
  return typed;
}

/**
 * Says whether `1.234` has two readings. The sign between thousands has one where the
 * currency has at most two decimals, and the decimal sign where it has three.
 */
function isUnclear(text: string, currency: string, locale: string): boolean {
  const [, sign] = /^\d{1,3}([.,])\d{3}$/.exec(text) ?? [];
  if (sign === undefined) return false;
  const hasThreeDecimals = parseMoney("0.001", currency) !== null;
  return (sign === numberSigns(locale).decimal) !== hasThreeDecimals;
}

/** A few letters or a sign still stand beside a number: they name another currency. */
const namesOther = /^[\p{L}\p{Sc}]{1,4}\s*\d|\d\s*[\p{L}\p{Sc}]{1,4}$/u;

/** Reads an amount as its reader writes it, or as it was copied with its currency. */
export function readAmount(
  text: string,
  locale: string,
  currency: string,
): { readonly value: number } | { readonly fault: TextName } {
  const typed = withoutCurrency(text, currency, locale);
  if (namesOther.test(typed)) return { fault: "fault_currency" };
  if (isUnclear(typed, currency, locale)) return { fault: "fault_amount_unclear" };

  const plain = plainNumber(typed, locale);
  const amount = plain === null ? null : parseMoney(plain, currency);
  return amount === null ? { fault: "fault_amount" } : { value: amount };
}
