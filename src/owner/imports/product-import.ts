import { z } from "zod";
import { foreignId } from "../../input/fields.ts";
import type { RecordOutcome } from "./imported-product.ts";

/**
 * A text or its parts. Bytes are UTF-8. A byte order mark at the beginning is
 * passed over.
 */
export type ImportBody = string | AsyncIterable<string | Uint8Array>;

export const ProductImport = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean().nullish(),
  format: z.enum(["csv", "jsonl"]),
  body: z.custom<ImportBody>(isBody, "must be text, or an AsyncIterable of text or bytes"),
  /** True tells what would happen, and stores nothing. */
  dry_run: z.boolean().nullish(),
  /**
   * Called after each transaction, and awaited. An error that it throws ends the import; what was
   * stored stays stored.
   */
  onProgress: z
    .custom<(progress: ProductImportProgress) => void | Promise<void>>(
      (value) => typeof value === "function",
      "must be a function",
    )
    .optional(),
});
/**
 * Describes an import. Products are the same in both modes, so `livemode` may be
 * given and changes nothing.
 */
export interface ProductImport extends z.input<typeof ProductImport> {}

function isBody(value: unknown): boolean {
  const isParts = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return isParts || typeof value === "string";
}

/** A fault in a row. The row was not stored. */
export interface ImportFault {
  /** The row begins on this line. The first line is 1, which is the header of a CSV. */
  readonly line: number;
  /**
   * The field, such as `price` or `variables[0].key`. It is null when the row
   * as a whole cannot be read.
   */
  readonly field: string | null;
  readonly message: string;
}

/** The result of an import of products. */
export interface ImportedProducts {
  readonly created: number;
  readonly updated: number;
  /**
   * Counts the products that already were as their rows say. They were not
   * written.
   */
  readonly unchanged: number;
  /** The faults are in the order of their lines. */
  readonly faults: readonly ImportFault[];
  /**
   * False means that the rest of the text was not read, because it cannot be read
   * or because 100 rows were wrong. The rows before it are stored.
   */
  readonly complete: boolean;
}

/** The counts so far of an import of products. */
export interface ProductImportProgress
  extends Pick<ImportedProducts, "created" | "updated" | "unchanged"> {
  /** Counts the rows with faults. */
  readonly refused: number;
  /** What became of each row since the last call, the wrong rows first. */
  readonly outcomes: readonly RecordOutcome[];
}
