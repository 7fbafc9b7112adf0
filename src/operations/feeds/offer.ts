import type { Product } from "../../contract/schemas.ts";
import { parseUrl } from "../../domain/parse-url.ts";

/** What every feed tells of a product in the same way. */
export interface Offer {
  /** The pictures with a whole address: who reads a feed has no page that a path belongs to. */
  readonly pictures: readonly string[];
  /** The price before a reduction. Null when the price is not reduced. */
  readonly before: number | null;
}

export function offerOf({ images, price, compare_at_price }: Product): Offer {
  const isReduced = compare_at_price !== null && compare_at_price > price;
  return {
    pictures: images.filter(parseUrl),
    before: isReduced ? compare_at_price : null,
  };
}
