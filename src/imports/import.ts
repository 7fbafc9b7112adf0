import type { z } from "zod";
import { check } from "../input/check.ts";
import { decimalSigns } from "./amounts.ts";
import { capCategories } from "./category-cap.ts";
import { ProductFileInput } from "./file-input.ts";
import { googleAmounts, googleRows, readGoogle } from "./google.ts";
import { readJsonLines } from "./json-lines.ts";
import type { ProductFile, ReadProduct, ReadSourceRow } from "./record.ts";
import { readShopify, shopify, shopifyAmounts } from "./shopify.ts";
import { readTable } from "./table.ts";
import { encodingOf, textOf } from "./text/decode.ts";
import { readParents, readWoocommerce, writtenCells } from "./woocommerce.ts";
import { woocommerce, woocommerceAmounts } from "./woocommerce-columns.ts";

export type {
  ImportedRecords,
  RecordCounts,
  RecordOutcome,
  RecordProgress,
} from "../owner/imports/imported-product.ts";
export { applyImport, type ImportOptions, type ImportTarget, planImport } from "./apply.ts";
export { type DetectedFormat, detectFormat } from "./detect.ts";
export { ownTable } from "./own-table.ts";
export type {
  ImportedArticle,
  ImportedCategory,
  ImportedProduct,
  ProductFile,
  ReadProduct,
  RowFault,
} from "./record.ts";

/**
 * Reads the products of a file of another shop, one by one. A row that is wrong is given with its
 * line, column and reason, and the others are read. Throws `parameter_invalid` when the file is
 * not of the format.
 */
export async function* readProducts(input: ProductFile): AsyncGenerator<ReadProduct> {
  yield* capCategories(readFormat(check(ProductFileInput, input)));
}

async function* readFormat({
  format,
  open,
  currency,
  decimal,
}: z.output<typeof ProductFileInput>): AsyncGenerator<ReadProduct> {
  const encoding = await encodingOf(open());
  const text = () => textOf(open(), encoding);

  if (format === "jsonl") {
    yield* readJsonLines(text(), currency);
    return;
  }

  const { amounts, rows } = tables[format];
  const signs = await decimalSigns(rows(text()), amounts, decimal ?? undefined);
  const ctx = { currency, signs };
  if (format === "shopify") yield* readShopify(rows(text()), ctx);
  else if (format === "google") yield* readGoogle(rows(text()), ctx);
  else {
    const parents = await readParents(rows(text()));
    yield* readWoocommerce(rows(text()), { ...ctx, parents });
  }
}

interface TableReader {
  /** The columns that have amounts. */
  readonly amounts: readonly string[];
  readonly rows: (text: AsyncIterable<string>) => AsyncIterable<ReadSourceRow>;
}

const tables: Readonly<Record<"shopify" | "woocommerce" | "google", TableReader>> = {
  shopify: { amounts: shopifyAmounts, rows: (text) => readTable(text, shopify) },
  woocommerce: {
    amounts: woocommerceAmounts,
    rows: (text) => writtenCells(readTable(text, woocommerce)),
  },
  google: { amounts: googleAmounts, rows: googleRows },
};
