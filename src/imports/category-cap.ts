import { maxRowsPerStore } from "../rules/catalog/catalog-writes.ts";
import type { ReadProduct } from "./record.ts";

/** Leaves out, with a note, the categories of a file that are more than a store can have. */
export async function* capCategories(
  reads: AsyncIterable<ReadProduct>,
): AsyncGenerator<ReadProduct> {
  const kept = new Set<string>();
  for await (const read of reads) {
    if ("refused" in read) {
      yield read;
      continue;
    }

    const { line, product } = read;
    const notes = [...read.notes];
    const categories = product.categories?.filter(({ slug }) => {
      if (kept.size < maxRowsPerStore) kept.add(slug);
      if (kept.has(slug)) return true;
      const message = `The category ${slug} is left out: a store has at most 1,000 categories.`;
      notes.push({ line, column: null, message });
      return false;
    });
    yield { ...read, product: { ...product, ...(categories && { categories }) }, notes };
  }
}
