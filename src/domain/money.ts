/**
 * Lists the currencies whose minor unit is not a hundredth, as ISO 4217 does, by
 * the number of digits after the point. `Intl` follows what people write rather
 * than ISO 4217: it gives COP and IDR no digits in one version and two in another.
 */
const codesByDigits = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
] as const;

const digitsByCode: ReadonlyMap<string, number> = new Map(
  codesByDigits.flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, digits])),
);

/** Gives the number of digits after the point that the currency's minor unit stands for. */
const fractionDigits = (currency: string): number => digitsByCode.get(currency) ?? 2;

/** An amount is written in this format. */
export interface MoneyFormat {
  /** A BCP 47 language tag. The default is the locale of the runtime. */
  readonly locale?: string | undefined;
  /** How the currency is shown. The default is by its symbol. */
  readonly currencyDisplay?: "symbol" | "narrowSymbol" | "code" | "name" | undefined;
}

/**
 * Writes an amount in minor units for people to read: 3450 BRL is `R$34.50` in
 * English, 3450 JPY is `¥3,450`. The digits are those of ISO 4217, whatever the
 * runtime's own data say, and the amount is exact up to 2^53-1. Throws a RangeError
 * for a text that cannot be a currency code, and for an amount such as 34.5 that is
 * no whole number.
 */
export const formatMoney = (amount: number, currency: string, format?: MoneyFormat): string =>
  createMoneyFormat(currency, format)(amount);

/**
 * Makes a function that writes amounts as `formatMoney` does. A page with many
 * amounts makes it once, because `Intl` takes some 30 µs to create a format.
 */
export function createMoneyFormat(
  currency: string,
  { locale, currencyDisplay = "symbol" }: MoneyFormat = {},
): (amount: number) => string {
  const digits = fractionDigits(currency);
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (amount) => format.format(majorUnits(amount, digits));
}

/**
 * Reads an amount such as `34.50` as minor units of the currency, digit by digit and
 * never through floating point. The result is null when the text has another form,
 * when it has more digits than the currency (zeros at its end do not count), and
 * when the amount is above 2^53-1.
 */
export function parseMoney(text: string, currency: string): number | null {
  const [, whole, fraction = ""] = /^(\d{1,16})(?:\.(\d{1,16}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;

  const digits = fractionDigits(currency);
  const minor = fraction.slice(0, digits).padEnd(digits, "0");
  const isFiner = /[1-9]/.test(fraction.slice(digits));
  const amount = Number(whole + minor);
  return isFiner || !Number.isSafeInteger(amount) ? null : amount;
}

/**
 * Writes the amount as a decimal text, which `Intl` reads exactly where a quotient
 * would round. TypeScript cannot see that the parts make a number.
 */
function majorUnits(amount: number, digits: number): `${number}` {
  if (!Number.isInteger(amount))
    throw new RangeError("The amount must be in whole minor units: 3450 for 34.50.");

  const sign = amount < 0 ? "-" : "";
  const text = String(Math.abs(amount)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits);
  return `${sign}${whole}.${fraction || "0"}` as `${number}`;
}
