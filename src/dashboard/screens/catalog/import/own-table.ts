import { csvRow } from "../../../../domain/text/csv.ts";
import { isSeparatorLine } from "../../../../imports/table.ts";
import { type ImportFile, openTable } from "./import-file.ts";

/**
 * Writes a table in our own columns with commas and in UTF-8, as `owner.products.import` reads it:
 * Excel saves an export with semicolons where the comma is the decimal sign. Each row stays on its
 * line, so that a fault names the line of the file.
 */
export async function* ownTable(file: ImportFile): AsyncGenerator<string> {
  const { rows } = await openTable(file);
  let line = 1;
  let width = 0;
  for await (const row of rows) {
    if (isSeparatorLine(row)) continue;
    if (width === 0) width = row.cells.length;
    // A row whose quotes are wrong has a cell too many, so that it is refused.
    const cells =
      row.fault === undefined ? row.cells : [...Array<string>(width).fill(""), row.fault];
    const text = csvRow(cells);
    yield "\n".repeat(Math.max(0, row.line - line)) + text;
    line = row.line + (text.match(/\r\n?|\n/g)?.length ?? 0);
  }
}
