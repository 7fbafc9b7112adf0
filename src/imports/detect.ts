import { maxRowLength, UnreadableRow } from "../domain/text/row-reader.ts";
import { google } from "./google.ts";
import type { ProductFile } from "./record.ts";
import { shopify } from "./shopify.ts";
import { hasHeaderOf, isSeparatorLine, textRows } from "./table.ts";
import { encodingOf, textOf } from "./text/decode.ts";
import { woocommerce } from "./woocommerce-columns.ts";

/**
 * A format of `readProducts`, or one of what `owner.export` writes and `owner.products.import`
 * reads: `own` is a table, and `own_jsonl` has one object in each line.
 */
export type DetectedFormat = ProductFile["format"] | "own" | "own_jsonl";

const tables = { shopify, woocommerce, google };

/** Tells the format of a file by its head, or null when no format has such a head. */
export async function detectFormat(open: ProductFile["open"]): Promise<DetectedFormat | null> {
  const encoding = await encodingOf(open());
  let head = "";
  for await (const text of textOf(open(), encoding)) {
    head = (head + text).trimStart();
    if (head.startsWith("<")) return "google";
    const isOpen = head === "" || (head.startsWith("{") && !head.includes("\n"));
    if (!isOpen || head.length > maxRowLength) break;
  }
  if (head.startsWith("{")) return isOwnLine(head.split("\n", 1)[0]) ? "own_jsonl" : "jsonl";

  try {
    for await (const row of textRows(textOf(open(), encoding)))
      if (!isSeparatorLine(row)) return formatOfHeader(row.cells);
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
  }
  return null;
}

/** Knows a line of an export by its fields: a feed has the categories themselves too. */
function isOwnLine(text = ""): boolean {
  try {
    const line: object = JSON.parse(text);
    return "category_ids" in line && !("categories" in line);
  } catch {
    return false;
  }
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
