import { UnreadableRow } from "../domain/text/row-reader.ts";
import { productColumns } from "../owner/exports/product-columns.ts";
import { google } from "./google.ts";
import type { ProductFile } from "./record.ts";
import { shopify } from "./shopify.ts";
import { hasHeaderOf, isSeparatorLine, textRows } from "./table.ts";
import { encodingOf, textOf } from "./text/decode.ts";
import { woocommerce } from "./woocommerce-columns.ts";

/** A format of `readProducts`, or `own` for a table that `owner.export` has written. */
export type DetectedFormat = ProductFile["format"] | "own";

const tables = { shopify, woocommerce, google };
const ownColumns: ReadonlySet<string> = new Set(productColumns.map(({ name }) => name));

/** Tells the format of a file by its head, or null when no format has such a head. */
export async function detectFormat(open: ProductFile["open"]): Promise<DetectedFormat | null> {
  const encoding = await encodingOf(open());
  for await (const text of textOf(open(), encoding)) {
    const [first] = text.trimStart();
    if (first === undefined) continue;
    if (first === "<") return "google";
    if (first === "{") return "jsonl";
    break;
  }

  try {
    for await (const row of textRows(textOf(open(), encoding)))
      if (!isSeparatorLine(row)) return formatOfHeader(row.cells);
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
  }
  return null;
}

function formatOfHeader(header: readonly string[]): DetectedFormat | null {
  const names = header.map((name) => name.trim());
  if (names.every((name) => ownColumns.has(name))) return "own";
  const found = Object.entries(tables).find(([, table]) => hasHeaderOf(table, names));
  return (found?.[0] as keyof typeof tables | undefined) ?? null;
}
