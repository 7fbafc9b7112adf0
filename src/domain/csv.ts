/**
 * Text that a spreadsheet would take for a formula: after blanks it begins with `=`,
 * `+`, `-`, `@` or one of their full-width forms, or with a tab or a return. Quotes in
 * front are passed over, so that what already begins with one is told apart from what
 * `guardCell` has put there.
 */
const formula = /^'*\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Puts a quote before text that a spreadsheet would run. */
export const guardCell = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Takes away the quote that `guardCell` has put there, and no other. */
export const unguardCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Some readers drop blanks around a cell without quotes. */
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** Writes a row as RFC 4180 has it, with its line end. */
export const csvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? quote(cell) : cell)).join(",")}\r\n`;

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
