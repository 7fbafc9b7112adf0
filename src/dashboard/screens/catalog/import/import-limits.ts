// What the form says. It has no part in reading a file.

/** A larger file is imported at the prompt. */
export const maxImportBytes = 4 * 1_048_576;
export const maxImportRows = 10_000;
/** The most bytes of the form. It is larger, so that a large file gets a fault beside its field. */
export const maxImportForm = 16 * 1_048_576;

export const importField = "upload";

/** The formats that a person can name. `own` has the columns of an export. */
export const namedFormats = ["own", "shopify", "woocommerce", "google", "jsonl"] as const;
