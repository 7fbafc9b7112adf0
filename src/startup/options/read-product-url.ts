import { invalidOption } from "../../input/option-error.ts";

/** Reads the pattern of the address of a product's page, which names the product. */
export function readProductUrl(pattern: string | null = null): string | null {
  if (pattern !== null && !/^(https?:\/\/|{website_url}).*{(slug|id)}/.test(pattern))
    invalidOption("productUrl", "must be like `https://shop.example.com/products/{slug}`");
  return pattern;
}
