/** The formats of `vitrine import`. `csv` is a table in vitrine's own columns. */
export const importFormats = ["shopify", "woocommerce", "google", "jsonl", "csv"] as const;

export type ImportFormat = (typeof importFormats)[number];
