import { mostPromoted, mostRanked, rankOf, rankStep, ranks } from "./product-rank.ts";
import type { FoldedProduct, ProductSearch } from "./product-search.ts";

/**
 * Ranks hits: gives a function that returns the number by which a hit is sorted, made of its rank
 * and its position. `found` must hold every hit of the store, because their count decides whether
 * all ranks are kept.
 */
export function relevancePlaces(
  search: ProductSearch,
  found: readonly FoldedProduct[],
): (product: FoldedProduct) => number {
  const rankIn = ({ folded: [name] }: FoldedProduct): number => rankOf(search, name);
  const place = (rank: number, { record }: FoldedProduct): number =>
    rank * rankStep + record.position;
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
