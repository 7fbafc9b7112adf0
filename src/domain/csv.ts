/**
 * This matches text that a spreadsheet would take for a formula. After blanks it
 * begins with `=`, `+`, `-`, `@` or one of their full-width forms, or with a tab or
 * a return. Quotes in front are passed over, so that a quote of the text itself is
 * told apart from the quote that `guardCell` puts there.
 */
const formula = /^'*\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Puts a quote before text that a spreadsheet would run. */
export const guardCell = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Takes away the quote that `guardCell` has put there, and no other. */
export const unguardCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

/**
 * A cell that matches gets quotes. Blanks count too, because some readers drop them
 * without quotes.
 */
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** Writes a row as RFC 4180 describes it, with its line end. */
export const csvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? quote(cell) : cell)).join(",")}\r\n`;

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
