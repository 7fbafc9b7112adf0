import { parseMoney } from "../domain/money.ts";
import type { ReadSourceRow } from "./record.ts";

type DecimalSign = "." | ",";

/** The decimal sign of each column. Null when its rows do not tell. */
export type DecimalSigns = ReadonlyMap<string, DecimalSign | null>;

/** Codes and symbols that may stand beside an amount: they must be those of the currency. */
const before = "(?<before>[A-Z]{3}|(?:[A-Z]{1,2})?[$€£¥])?";
const digits = String.raw`(?<digits>\d(?:[\d.,]*\d)?)`;
const behind = "(?<behind>[A-Z]{3}|[€£¥])?";

/** The currencies of symbols. `US$`, `A$` and the like begin the codes of theirs. */
const bySymbol: Readonly<Record<string, string>> = {
  R$: "BRL",
  RD$: "DOP",
  NT$: "TWD",
  "€": "EUR",
  "£": "GBP EGP",
  "¥": "JPY CNY",
};

/** A dollar sign alone stands for more than twenty currencies. */
const isSignOf = (sign: string, currency: string): boolean =>
  bySymbol[sign]?.includes(currency) ?? currency.startsWith(sign.replace("$", ""));

const amount = new RegExp(String.raw`^${before}\s*${digits}\s*${behind}$`, "u");

/** Reads the rows once, and tells the decimal signs of these columns. */
export async function decimalSigns(
  rows: AsyncIterable<ReadSourceRow>,
  columns: readonly string[],
  given: DecimalSign | undefined,
): Promise<DecimalSigns> {
  if (given) return new Map(columns.map((column) => [column, given]));

  const seen = new Map<string, Set<DecimalSign>>(columns.map((column) => [column, new Set()]));
  for await (const row of rows) {
    if ("refused" in row) continue;
    for (const [column, signs] of seen) {
      const sign = signOf(amount.exec(row.cell(column))?.groups?.["digits"] ?? "");
      if (sign === "." || sign === ",") signs.add(sign);
    }
  }
  return new Map(
    [...seen].map(([column, signs]) => [column, signs.size === 1 ? ([...signs][0] ?? null) : null]),
  );
}

/**
 * Tells the decimal sign of digits. Null means that they have none, `either` that `1.234` may be
 * a thousand or one, and `neither` that their signs stand where no amount has them.
 */
function signOf(digits: string): DecimalSign | "either" | "neither" | null {
  if (!/[.,]/.test(digits)) return null;
  if (/^(?!0)\d{1,3}[.,]\d{3}$/.test(digits)) return "either";
  if (/^\d+\.\d+$/.test(digits)) return ".";
  if (/^\d+,\d+$/.test(digits)) return ",";
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(digits) || /^\d{1,3}(?:,\d{3}){2,}$/.test(digits))
    return ".";
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(digits))
    return ",";
  return "neither";
}

/** Reads an amount as minor units, or gives the reason why it cannot be read. */
export function readAmount(
  text: string,
  currency: string,
  columnSign: DecimalSign | null,
): number | string {
  const parts = amount.exec(text)?.groups ?? {};
  const digits = parts["digits"] ?? "";
  const unreadable = `${JSON.stringify(text.slice(0, 40))} is not an amount of ${currency}.`;
  if (digits === "") return unreadable;
  for (const code of [parts["before"] ?? "", parts["behind"] ?? ""])
    if (!isSignOf(code, currency)) return `The amount is in ${code}, and not in ${currency}.`;

  const own = signOf(digits);
  if (own === "neither") return unreadable;
  const sign = own === "either" ? columnSign : own;
  if (own === "either" && sign === null)
    return (
      `${JSON.stringify(text)} may mean thousands or a fraction, and no other amount of the ` +
      "column tells: give the decimal sign."
    );
  // A decimal sign that was given counts more than what a single amount looks like.
  if (own !== null && columnSign !== null && sign !== columnSign) return unreadable;

  const plain = digits.replaceAll(sign === "," ? "." : ",", "").replace(",", ".");
  return parseMoney(plain, currency) ?? unreadable;
}
