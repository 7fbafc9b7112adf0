import { UnreadableRow } from "../domain/text/row-reader.ts";
import { google } from "./google.ts";
import type { ProductFile } from "./record.ts";
import { shopify } from "./shopify.ts";
import { hasHeaderOf, isSeparatorLine, textRows } from "./table.ts";
import { encodingOf, textOf } from "./text/decode.ts";
import { woocommerce } from "./woocommerce-columns.ts";

/** A format of `readProducts`, or `own` for a table that is named as `owner.export` names it. */
export type DetectedFormat = ProductFile["format"] | "own";

const tables = { shopify, woocommerce, google };

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
  const found = Object.entries(tables).find(([, table]) => hasHeaderOf(table, header));
  if (found) return found[0] as keyof typeof tables;

  // The schema of products would double the size of the readers. The import itself checks each
  // column, and says which one a product has that is named nearly so.
  const names = header.map((name) => name.trim());
  const isOwn = names.includes("id") || names.includes("slug");
  return isOwn && names.every((name) => /^[a-z\d_.]+$/.test(name)) ? "own" : null;
}
