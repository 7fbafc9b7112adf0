import { createReadStream } from "node:fs";
import { type ImportedCategory, type ImportedProduct, readProducts } from "vitrine/import";

export interface Catalog {
  readonly products: readonly ImportedProduct[];
  readonly categories: readonly ImportedCategory[];
  /** What could not be read. Each has the line on which its row begins. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads a product export of Shopify. Each variant becomes a product. */
export async function readCatalog(file: string, currency: string): Promise<Catalog> {
  const products: ImportedProduct[] = [];
  const categories = new Map<string, ImportedCategory>();
  const problems: { line: number; message: string }[] = [];
  const source = { format: "shopify", open: () => createReadStream(file), currency } as const;
  for await (const read of readProducts(source)) {
    if ("refused" in read) {
      problems.push(read.refused);
      continue;
    }
    problems.push(...read.notes);
    products.push(read.product);
    for (const category of read.product.categories ?? []) categories.set(category.slug, category);
  }
  return { products, categories: [...categories.values()], problems };
}
