import type { DetectedFormat } from "vitrine/import";

/** The formats of `vitrine import`. `csv` is a table in vitrine's own columns. */
export const importFormats = ["shopify", "woocommerce", "google", "jsonl", "csv"] as const;

export type ImportFormat = (typeof importFormats)[number];

const ownNames = { own: "csv", own_jsonl: "jsonl" } as const;

/** Tells whether `owner.export` has written the file. */
export const isOwn = (format: DetectedFormat): format is keyof typeof ownNames =>
  format in ownNames;

/** Gives the name by which the command knows a format. */
export const nameOf = (format: DetectedFormat): ImportFormat =>
  isOwn(format) ? ownNames[format] : format;
