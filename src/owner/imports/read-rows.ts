import { CsvReader } from "../../domain/text/csv-reader.ts";
import {
  LineReader,
  type RowReader,
  type TextRow,
  UnreadableRow,
} from "../../domain/text/row-reader.ts";
import type { ImportBody, ImportFault } from "./product-import.ts";

/** A fault with the slug of the product that its row is about, where the row tells it. */
export interface RefusedRow {
  readonly fault: ImportFault;
  readonly slug: string | null;
}

/** The fields that a row gives, or the fault in it. */
export type ReadRow =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | RefusedRow;

/**
 * Reads the rows of a CSV, whose first row is the header, or of JSON lines. Throws
 * `UnreadableRow` when the text cannot be read any further, and passes on the
 * errors of `readHeader`.
 */
export async function* readRows(
  body: ImportBody,
  format: "csv" | "jsonl",
  readHeader: (header: TextRow | undefined) => (row: TextRow) => ReadRow,
): AsyncGenerator<ReadRow> {
  const reader = format === "csv" ? new CsvReader() : new LineReader();
  let readRow = format === "csv" ? null : readJson;
  for await (const row of textRows(body, reader)) {
    if (readRow) yield readRow(row);
    else readRow = readHeader(row);
  }
  if (!readRow) readHeader(undefined);
}

async function* textRows(body: ImportBody, reader: RowReader): AsyncGenerator<TextRow> {
  let isStart = true;
  for await (const text of textParts(body, reader)) {
    if (text === "") continue;
    yield* reader.push(isStart ? text.replace(/^\uFEFF/, "") : text);
    isStart = false;
  }
  yield* reader.end();
}

async function* textParts(body: ImportBody, reader: RowReader): AsyncGenerator<string> {
  if (typeof body === "string") return yield body;

  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new UnreadableRow(reader.line, "it is not UTF-8");
    }
  };
  for await (const part of body) yield typeof part === "string" ? part : decode(part);
  yield decode();
}

function readJson({ line, cells: [text = ""] }: TextRow): ReadRow {
  const fields = parseJson(text);
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields))
    return { line, fields: { ...fields } };
  return { fault: { line, field: null, message: "The line is not a JSON object." }, slug: null };
}

/** Parses JSON. It gives undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
