import type { ImportBody } from "../owner/imports/product-import.ts";

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

/** A category that a file names. */
export interface ImportedCategory {
  readonly slug: string;
  readonly name: string;
}

/** A product as a file gives it, whatever its format. */
export interface ImportedProduct {
  /** Made of the file's handle, SKU or id, so that the same product always has the same slug. */
  readonly slug: string;
  readonly sku: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly images: readonly string[];
  /** In minor units of the currency. */
  readonly price: number;
  readonly compare_at_price: number | null;
  readonly currency: string;
  readonly categories: readonly ImportedCategory[];
  /** False means a draft. */
  readonly active: boolean;
  /** Pieces on hand. Null means that they are not counted. */
  readonly stock: number | null;
}

/** What is wrong with a row. */
export interface RowFault {
  /** The row begins on this line. The first line is 1. */
  readonly line: number;
  /** The column, by the name that it has in the file's English form. Null means the whole row. */
  readonly column: string | null;
  /** The reason, as a sentence. */
  readonly message: string;
}

/** One product of a file, or a row that gives none. */
export type ReadProduct =
  | {
      readonly line: number;
      readonly product: ImportedProduct;
      /** What was left out of the product, such as a picture without a usable address. */
      readonly notes: readonly RowFault[];
    }
  | {
      readonly refused: RowFault;
      /** True means that the file cannot be read any further. */
      readonly is_end: boolean;
    };

/** One row of a file, whose cells are found by the names of columns. */
export interface SourceRow {
  readonly line: number;
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
): Extract<ReadProduct, { refused: unknown }> => ({
  refused: { line, column, message },
  is_end: false,
});
