import { z } from "zod";
import { currency } from "../input/fields.ts";
import type { ProductFile } from "./record.ts";

/** Checks what a caller says of a file. */
export const ProductFileInput = z.strictObject({
  format: z.enum(["shopify", "woocommerce", "google", "jsonl"]),
  open: z.custom<ProductFile["open"]>(
    (value) => typeof value === "function",
    "must be a function that opens the file",
  ),
  currency,
  decimal: z.enum([".", ","]).nullish(),
});
