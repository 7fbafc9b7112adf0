import { csvRow } from "../domain/text/csv.ts";
import type { ProductFile } from "./record.ts";
import { isSeparatorLine, textRows } from "./table.ts";
import { encodingOf, textOf } from "./text/decode.ts";

/**
 * Turns an export that a spreadsheet has saved into what `owner.products.import` reads: commas
 * between the cells, in UTF-8. Excel writes semicolons where the comma is the decimal sign. Each
 * row stays on its line, so that a fault names the line of the file.
 */
export async function* ownTable(open: ProductFile["open"]): AsyncGenerator<string> {
  let line = 1;
  let width = 0;
  for await (const row of textRows(textOf(open(), await encodingOf(open())))) {
    if (isSeparatorLine(row)) continue;
    if (width === 0) width = row.cells.length;
    // A row with wrong quotes gets one cell more than the header, so that the import refuses it.
    const cells =
      row.fault === undefined ? row.cells : [...Array<string>(width).fill(""), row.fault];
    const text = csvRow(cells);
    yield "\n".repeat(Math.max(0, row.line - line)) + text;
    line = row.line + (text.match(/\r\n?|\n/g)?.length ?? 0);
  }
}
