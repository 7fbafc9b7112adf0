import { guardCell, separatedRow } from "../../../../domain/text/csv.ts";
import { iso } from "../../../../domain/text/iso.ts";
import { isSeparatorLine } from "../../../../imports/table.ts";
import type { OwnerExport } from "../../../../owner/exports/open-export.ts";
import { refusedColumns } from "../../../../owner/exports/product-columns.ts";
import { csvType } from "../../../../owner/exports/write-rows.ts";
import type { RecordOutcome } from "../../../../owner/imports/imported-product.ts";
import type { StoreVisit } from "../../../screen.ts";
import { type ImportFile, opener, openTable, wholeText } from "./import-file.ts";
import { reasonOf } from "./reasons.ts";

/**
 * Writes the refused rows of a file as they stand there, with column and reason behind them, so
 * that they can be mended and imported again. A feed of XML gives the lines and reasons alone.
 */
export async function refusedFile(
  visit: StoreVisit,
  file: ImportFile,
  refused: readonly RecordOutcome[],
): Promise<OwnerExport> {
  const { parts, store } = visit;
  const isLines = file.format === "jsonl" || file.format === "own_jsonl";
  const text = await (isLines ? refusedLines : refusedRows)(visit, file, refused);
  const day = iso(parts.now()).slice(0, 10);
  const ending = isLines ? "jsonl" : "csv";
  return {
    body: opener(new TextEncoder().encode(text))() as AsyncIterable<Uint8Array>,
    contentType: isLines ? "application/x-ndjson; charset=utf-8" : csvType,
    filename: `${store.slug}-refused-products-${day}.${ending}`,
  };
}

const cellsOf = (
  visit: StoreVisit,
  { column, message }: RecordOutcome,
  sign: "," | ";" = ",",
): readonly string[] =>
  [column ?? "", reasonOf(visit.language, message ?? "")].map((cell) => guardCell(cell, sign));

async function refusedRows(
  visit: StoreVisit,
  file: ImportFile,
  refused: readonly RecordOutcome[],
): Promise<string> {
  const { rows, separator, text } = await openTable(file);
  const sign = separator === ";" ? ";" : ",";
  const byLine = new Map(refused.map((each) => [each.line, each]));
  const lines: string[] = [];
  const write = (cells: readonly string[]): number => lines.push(separatedRow(cells, sign));
  if (text.trimStart().startsWith("<")) {
    write(["line", ...refusedColumns]);
    for (const each of refused) write([String(each.line ?? ""), ...cellsOf(visit, each, sign)]);
    return `\uFEFF${lines.join("")}`;
  }

  let header: readonly string[] | null = null;
  let names: readonly string[] = [];
  try {
    for await (const row of rows) {
      if (isSeparatorLine(row)) continue;
      if (header === null) {
        header = row.cells;
        names = header.map((name) => name.trim());
        write([...withoutReasons(names, header), ...refusedColumns]);
        continue;
      }
      const each = byLine.get(row.line);
      if (each)
        write([...padded(withoutReasons(names, row.cells), names), ...cellsOf(visit, each, sign)]);
    }
  } catch {
    // The reader has stopped here too, and the row that it stopped at is shown on the page.
  }
  return `\uFEFF${lines.join("")}`;
}

const isReason = (name: string | undefined): boolean =>
  refusedColumns.some((each) => each === name);

/** Leaves out the reasons of the last time. */
const withoutReasons = (names: readonly string[], cells: readonly string[]): readonly string[] =>
  cells.filter((_, index) => !isReason(names[index]));

/** A short row gets empty cells, so that the reason stands below its head. */
const padded = (cells: readonly string[], names: readonly string[]): readonly string[] => {
  const width = names.filter((name) => !isReason(name)).length;
  return [...cells, ...Array<string>(Math.max(0, width - cells.length)).fill("")];
};

async function refusedLines(
  visit: StoreVisit,
  { bytes }: ImportFile,
  refused: readonly RecordOutcome[],
): Promise<string> {
  const lines = (await wholeText(opener(bytes))).split("\n");
  return refused
    .map((each) => {
      const line = lines[(each.line ?? 0) - 1]?.trim() ?? "";
      const [column = "", reason = ""] = cellsOf(visit, each);
      const told = { refused_column: column, refused_reason: reason };
      return `${withFields(line, told)}\n`;
    })
    .join("");
}

/** A line that is no object stays as it is. */
function withFields(line: string, fields: object): string {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return JSON.stringify({ ...value, ...fields });
  } catch {
    // The line is what it was refused for.
  }
  return line;
}
