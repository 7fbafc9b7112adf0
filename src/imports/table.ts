import { CsvReader } from "../domain/text/csv-reader.ts";
import { fold } from "../domain/text/fold.ts";
import { type TextRow, UnreadableRow } from "../domain/text/row-reader.ts";
import { refuse } from "../input/check.ts";
import { type ReadSourceRow, refusedRow } from "./record.ts";

/** The columns of a format: the names that a header may have, folded, with the column of each. */
export type ColumnNames = ReadonlyMap<string, string>;

/** Folds a name of a header: case, accents and signs do not count, but a question mark does. */
export const foldName = (name: string): string => {
  const words = fold(name)
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  return name.includes("?") ? `${words}?` : words;
};

/** Gives the column of a name. Its question mark may be lost, if no other column is named so. */
const columnOf = ({ columns }: TableFormat, name: string): string | undefined =>
  columns.get(foldName(name)) ?? columns.get(foldName(name.replaceAll("?", "")));

export interface TableFormat {
  /** Such as "a product export of Shopify". */
  readonly title: string;
  readonly columns: ColumnNames;
  /** A table without one of these is of another format. */
  readonly required: readonly string[];
  /** Columns that may stand several times. */
  readonly repeated?: readonly string[];
}

/**
 * The number of whole rows that a table must have before a last row with fewer cells and no line
 * end counts as cut off. A person who writes a small table may leave cells out.
 */
const wholeRowsBeforeCut = 10;

/**
 * Reads the rows of a table whose cells are separated by commas, semicolons or tabs. Throws
 * `parameter_invalid` when the header is not one of the format.
 */
export async function* readTable(
  text: AsyncIterable<string>,
  format: TableFormat,
): AsyncGenerator<ReadSourceRow> {
  let columns: Columns | null = null;
  let width = 0;
  let wholeRows = 0;
  try {
    for await (const row of textRows(text)) {
      if (!columns) {
        // Excel is told its separator by a first line of its own.
        if (isSeparatorLine(row)) continue;
        columns = readHeader(row, format);
        width = row.cells.length;
      } else if (row.fault !== undefined) {
        yield refusedRow(row.line, null, row.fault);
      } else if (row.cells.every((cell) => cell.trim() === "")) {
        // Spreadsheets write an emptied row as separators alone.
      } else if (row.cells.slice(width).some((cell) => cell.trim() !== "")) {
        const message = `The row has ${row.cells.length} cells, and the header has ${width}.`;
        yield refusedRow(row.line, null, message);
      } else if (row.isOpen && row.cells.length < width && wholeRows >= wholeRowsBeforeCut) {
        // A broken download: the last cell may be the first digit of a price.
        const counts = `The row has ${row.cells.length} cells, and the header has ${width}`;
        const message = `${counts}: the file ends in the middle of it.`;
        yield refusedRow(row.line, null, message);
      } else {
        wholeRows = row.cells.length < width ? -Infinity : wholeRows + 1;
        yield sourceRow(row, columns);
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    if (!columns) return notOfFormat(format);
    const message = `The file cannot be read from here on: ${error.message}.`;
    yield { ...refusedRow(error.line, null, message), is_end: true };
  }
  if (!columns) notOfFormat(format);
}

/** Knows the line by which Excel is told the separator. */
export const isSeparatorLine = ({ cells }: TextRow): boolean => /^"?sep=/i.test(cells[0] ?? "");

/** Tells whether a header is one of the format. */
export const hasHeaderOf = (format: TableFormat, header: readonly string[]): boolean => {
  const found = new Set(header.map((name) => columnOf(format, name)));
  return format.required.every((column) => found.has(column));
};

/** The places of each column. */
type Columns = ReadonlyMap<string, readonly number[]>;

function readHeader({ cells }: TextRow, format: TableFormat): Columns {
  const found = new Map<string, number[]>();
  for (const [index, name] of cells.entries()) {
    const column = columnOf(format, name);
    if (column === undefined) continue;
    const places = found.get(column) ?? [];
    if (places.length > 0 && !format.repeated?.includes(column))
      refuse("body", `has the column ${JSON.stringify(name.trim().slice(0, 100))} twice`);
    found.set(column, [...places, index]);
  }
  return format.required.every((column) => found.has(column)) ? found : notOfFormat(format);
}

function notOfFormat({ title, required }: TableFormat): never {
  return refuse("body", `is not ${title}: it must have the columns ${required.join(" and ")}`);
}

function sourceRow({ line, cells: texts }: TextRow, columns: Columns): ReadSourceRow {
  const all = (column: string): readonly string[] =>
    (columns.get(column) ?? []).map((place) => texts[place]?.trim() ?? "");
  return {
    line,
    has: (...names) => names.some((name) => columns.has(name)),
    cell: (column) => all(column)[0] ?? "",
    cells: (column) => all(column).filter((text) => text !== ""),
  };
}

/** Reads the rows of a table, its header and what Excel writes above it too. */
export async function* textRows(text: AsyncIterable<string>): AsyncGenerator<TextRow> {
  let reader: CsvReader | null = null;
  let head = "";
  for await (const part of text) {
    if (reader) {
      yield* reader.push(part);
      continue;
    }
    head += part;
    if (!/[^\r\n][\r\n]/.test(head) && head.length < maxHeader) continue;
    reader = tableReader(head);
    yield* reader.push(head);
  }

  if (!reader) {
    reader = tableReader(head);
    yield* reader.push(head);
  }
  for (const row of reader.end()) yield { ...row, isOpen: true };
}

/** The separator is looked for in so much text, if no line ends before. */
const maxHeader = 65_536;

const tableReader = (head: string): CsvReader =>
  new CsvReader({ separator: separatorOf(head), looseQuotes: true });

/** Gives the sign between the cells of a table, by its header or the line that tells it. */
export function separatorOf(head: string): string {
  const [line = ""] = head.replace(/^[\r\n]+/, "").split(/[\r\n]/, 1);
  const told = /^"?sep=([,;\t])/i.exec(line)?.[1];
  // The sign that stands most often between the names is taken.
  const bare = line.replace(/"[^"]*"/g, "");
  const count = (sign: string): number => bare.split(sign).length;
  const [most = ","] = [",", ";", "\t"].sort((a, b) => count(b) - count(a));
  return told ?? most;
}
