import { mostPromoted, mostRanked, rankOf, rankStep, ranks } from "./product-rank.ts";
import type { ProductSearch } from "./product-search.ts";

/**
 * Gives what makes the place of each hit: its rank, and its position among those of the rank.
 * `found` are the hits of the whole store, of which a list may show some.
 */
export function relevancePlaces<Product>(
  search: ProductSearch,
  found: readonly Product[],
  of: (product: Product) => { readonly name: string; readonly position: number },
): (product: Product) => number {
  const rankIn = (product: Product): number => rankOf(search, of(product).name);
  const place = (rank: number, product: Product): number => rank * rankStep + of(product).position;
  if (search.ranked && found.length <= mostRanked)
    return (product) => place(rankIn(product), product);

  const counts = new Map<number, number>();
  for (const product of found) {
    const rank = rankIn(product);
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  return (product) => {
    const rank = rankIn(product);
    const promoted = rank <= ranks.begins && (counts.get(rank) ?? 0) <= mostPromoted;
    return place(promoted ? rank : ranks.rest, product);
  };
}
