import { z } from "zod";
import type { Product, ProductOption } from "../../contract/schemas.ts";
import { currency, foreignId, slug, text } from "../../input/fields.ts";

/** A category that a file names. */
export interface ImportedCategory {
  readonly slug: string;
  readonly name: string;
}

/**
 * A product as a file gives it, whatever its format. A field that the file does not have stays as
 * the store has it, and a new product has it empty.
 */
export interface ImportedProduct {
  /** Made of the file's handle, SKU or id, so that the same product always has the same slug. */
  readonly slug: string;
  readonly sku: string | null;
  /** The product's id in the shop that it comes from. The same id is always the same product. */
  readonly external_id?: string | null;
  /** The group that it is a variant of, with what tells it from the others. */
  readonly group?: string | null;
  readonly options?: readonly ProductOption[];
  readonly name: string;
  readonly description?: string | null;
  readonly images?: readonly string[];
  /** In minor units of the currency. */
  readonly price: number;
  readonly compare_at_price?: number | null;
  /** How often the price is paid. Null means once. */
  readonly recurring?: Product["recurring"];
  readonly currency: string;
  readonly categories?: readonly ImportedCategory[];
  /** False means a draft. */
  readonly active?: boolean;
  /** Pieces on hand. Null means that they are not counted. */
  readonly stock?: number | null;
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

/** What another shop sells as one: a single product, or all variants of one. */
export interface ImportedArticle {
  /** The slug of the single product, and the group of the variants. */
  readonly slug: string;
  readonly external_id?: string | null;
  readonly is_variant: boolean;
}

/** One product of a file, or a row that gives none. */
export type ReadProduct =
  | {
      readonly line: number;
      readonly product: ImportedProduct;
      /**
       * The article of the other shop to which the product belongs. Where the store sells the same
       * article in the other form, those products become drafts. Left out, none do.
       */
      readonly article?: ImportedArticle;
      /** What was left out of the product, such as a picture without a usable address. */
      readonly notes: readonly RowFault[];
    }
  | {
      readonly refused: RowFault;
      /** The slug that the row gives its product, where the row tells it. */
      readonly slug?: string | null;
      /** True means that the file cannot be read any further. */
      readonly is_end: boolean;
    };

/** What became of one record. */
export interface RecordOutcome {
  /** The row of the file. Null for a product that the file no longer has. */
  readonly line: number | null;
  /** The product. Null when the row gives none. */
  readonly slug: string | null;
  readonly outcome: "created" | "updated" | "unchanged" | "refused" | "deactivated";
  /** The fields that change, such as `price`. Only an updated product has some. */
  readonly fields: readonly string[];
  /** The column that is wrong. Null when none is, or where the whole row is. */
  readonly column: string | null;
  /** The reason of a refusal, as a sentence. */
  readonly message: string | null;
  /** What was left out of the product. */
  readonly notes: readonly RowFault[];
}

/** How many records had each outcome. */
export interface RecordCounts {
  readonly created: number;
  readonly updated: number;
  /** Counts the products that already were as their rows say. They are not written. */
  readonly unchanged: number;
  readonly refused: number;
  /** Counts the products that the file no longer has, with `missing: "deactivate"`. */
  readonly deactivated: number;
  readonly categories_created: number;
}

/** The counts so far, with the outcomes since the last call. */
export interface RecordProgress extends RecordCounts {
  readonly outcomes: readonly RecordOutcome[];
}

/** The result of an import of records. */
export interface ImportedRecords extends RecordCounts {
  /** False means that the rest of the file could not be read. The records before it are stored. */
  readonly complete: boolean;
  /**
   * The reason why `missing: "deactivate"` changed no product: a row was refused, the file could
   * not be read to its end, or there was no record. Null when nothing stopped it, or for `keep`.
   */
  readonly missing_kept: "refused" | "incomplete" | "empty" | null;
}

export const RecordImport = z.strictObject({
  store_id: foreignId,
  records: z.custom<AsyncIterable<ReadProduct>>(
    (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
    "must be an AsyncIterable of records",
  ),
  /** True tells what would happen, and stores nothing. */
  dry_run: z.boolean().nullish(),
  /** The currency that prices must have. It is the store's by default. */
  currency: currency.nullish(),
  /**
   * `deactivate` makes drafts of the store's products whose slugs the file does not have. It is
   * `keep` by default.
   */
  missing: z.enum(["keep", "deactivate"]).nullish(),
  /**
   * Called after each 200 records, and awaited. An error that it throws ends the import; what was
   * stored stays stored.
   */
  onProgress: z
    .custom<(progress: RecordProgress) => void | Promise<void>>(
      (value) => typeof value === "function",
      "must be a function",
    )
    .optional(),
});
/** Describes an import of records, such as `readProducts` of `vitrine/import` gives. */
export interface RecordImport extends z.input<typeof RecordImport> {}

export const ImportedCategories = z.array(z.strictObject({ slug, name: text(200) })).max(50);
