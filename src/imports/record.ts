import type { ReadProduct } from "../owner/imports/imported-product.ts";
import type { ImportBody } from "../owner/imports/product-import.ts";

export type {
  ImportedArticle,
  ImportedCategory,
  ImportedProduct,
  ReadProduct,
  RowFault,
} from "../owner/imports/imported-product.ts";

/** A file that another shop has written. */
export interface ProductFile {
  readonly format: "shopify" | "woocommerce" | "google" | "jsonl";
  /**
   * Opens the file, each time from its beginning. A file is read more than once, because how it
   * writes amounts can only be told from all of its rows.
   */
  readonly open: () => ImportBody;
  /** The currency of the prices, as ISO 4217 writes it. */
  readonly currency: string;
  /** The decimal sign of the prices. By default each column tells its own. */
  readonly decimal?: "." | "," | undefined;
}

/** One row of a file, whose cells are found by the names of columns. */
export interface SourceRow {
  readonly line: number;
  /** Tells whether the file has one of the columns, also where the row's cells are empty. */
  readonly has: (...columns: readonly string[]) => boolean;
  /** Gives the text of a cell without blanks around it, and an empty text where there is none. */
  readonly cell: (column: string) => string;
  /** Gives all values of a column that may stand several times. */
  readonly cells: (column: string) => readonly string[];
}

/** A row, or the reason why there is none. */
export type ReadSourceRow = SourceRow | Extract<ReadProduct, { refused: unknown }>;

export const refusedRow = (
  line: number,
  column: string | null,
  message: string,
  slug: string | null = null,
): Extract<ReadProduct, { refused: unknown }> => ({
  refused: { line, column, message },
  slug,
  is_end: false,
});
