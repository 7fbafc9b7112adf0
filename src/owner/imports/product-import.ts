import { z } from "zod";
import { foreignId } from "../../input/fields.ts";

/** Text, or its parts; bytes are UTF-8. A byte order mark at its begin is passed over. */
export type ImportBody = string | AsyncIterable<string | Uint8Array>;

export const ProductImport = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean().nullish(),
  format: z.enum(["csv", "jsonl"]),
  body: z.custom<ImportBody>(isBody, "must be text, or an AsyncIterable of text or bytes"),
});
/** Products are the same in both modes: `livemode` may be given and changes nothing. */
export interface ProductImport extends z.input<typeof ProductImport> {}

function isBody(value: unknown): boolean {
  const isParts = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return isParts || typeof value === "string";
}

/** What is wrong with a row, which was not stored. */
export interface ImportFault {
  /** The line on which the row begins, counted from 1; a CSV has its header on line 1. */
  readonly line: number;
  /** `price`, `variables[0].key`; null when the row as a whole cannot be read. */
  readonly field: string | null;
  readonly message: string;
}

/** What an import of products has done. */
export interface ImportedProducts {
  readonly created: number;
  readonly updated: number;
  /** They were as their rows say, and were not written. */
  readonly unchanged: number;
  /** In the order of their lines. */
  readonly faults: readonly ImportFault[];
  /**
   * False: the rest of the text was not read, because it cannot be, or because 100 rows
   * were wrong. The rows before it are stored.
   */
  readonly complete: boolean;
}
