/**
 * This matches text that a spreadsheet would take for a formula. After blanks and
 * signs that nobody sees it begins with `=`, `+`, `-`, `@` or one of their full-width
 * forms, or with a tab or a return. Quotes in front are passed over, so that a quote
 * of the text itself is told apart from the quote that `guardCell` puts there.
 */
const formula = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** Matches the beginning of a formula behind blanks, quotes and signs that nobody sees. */
const start = String.raw`(?:(?![\t\r\n])['"\s\p{Cc}\p{Cf}])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`;

/**
 * This matches the place in a text where a new cell would begin with a formula for a
 * spreadsheet that separates cells by semicolons or tabs. Excel does so where the
 * comma is the decimal sign, and the quotes of RFC 4180 do not stop it.
 */
const innerFormula = new RegExp(String.raw`(?<=[;\t\r\n])(?=${start})`, "gu");
/** The same, also after a comma: a file separated by semicolons does not quote its commas. */
const innerOrComma = new RegExp(String.raw`(?<=[,;\t\r\n])(?=${start})`, "gu");
const guardedInner = new RegExp(String.raw`(?<=[;\t\r\n])'(?=${start})`, "gu");

type Separator = "," | ";";

/** Puts a quote before each part of a text that a spreadsheet would run. */
export function guardCell(text: string, separator: Separator = ","): string {
  const guarded = text.replace(separator === "," ? innerFormula : innerOrComma, "'");
  return formula.test(text) ? `'${guarded}` : guarded;
}

/** Takes away the quotes that `guardCell` has put there, and no other. */
export function unguardCell(cell: string): string {
  const text = cell.replace(guardedInner, "");
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

/** Writes JSON without semicolons, because some spreadsheets would begin a new cell there. */
export const jsonCell = (value: unknown): string =>
  JSON.stringify(value).replaceAll(";", "\\u003b");

/**
 * A cell that matches gets quotes. Semicolons and tabs count because some readers begin
 * a cell there too, and blanks because some drop them without quotes.
 */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/** Writes a row as RFC 4180 describes it, with its line end. */
export const csvRow = (cells: readonly string[]): string => separatedRow(cells, ",");

/** Writes such a row with another separator. */
export const separatedRow = (cells: readonly string[], separator: Separator): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? quote(cell) : cell)).join(separator)}\r\n`;

/** Puts a text in quotes, and doubles those within it. */
export const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
