import { leastRound } from "../../domain/round-number.ts";
import type { ProductRecord } from "../records.ts";
import { compareFacets } from "./facets.ts";
import { type StockLevel, stockLevels } from "./stock.ts";

/** The most products whose facets are counted for their owner. */
export const maxOwnFacetHits = 1_000;

/** How many products of a list each choice of a filter would leave. */
export interface OwnerFacets {
  /** The most frequent first. Categories without a product are left out. */
  readonly category: readonly { readonly category_id: string; readonly count: number }[];
  /**
   * At most six spans of prices between round numbers. `min` and `max` are both included. The list
   * is empty when the products have several currencies.
   */
  readonly price: readonly {
    readonly min: number;
    readonly max: number;
    readonly currency: string;
    readonly count: number;
  }[];
  readonly stock: readonly { readonly level: StockLevel; readonly count: number }[];
}

/** A product with what is left of it. */
export interface CountedProduct {
  readonly record: ProductRecord;
  readonly level: StockLevel;
}

/** The choices that are made. */
export interface OwnFacetChoice {
  readonly category_id?: string | undefined;
  readonly price?: { readonly min?: number; readonly max?: number } | undefined;
  readonly level?: StockLevel | undefined;
}

/** Counts the products by each filter. The choice of the filter itself does not count for it. */
export function ownFacets(
  products: readonly CountedProduct[],
  { category_id, price, level }: OwnFacetChoice,
): OwnerFacets {
  const { min = 0, max = Number.POSITIVE_INFINITY } = price ?? {};
  const isIn = ({ record }: CountedProduct): boolean =>
    category_id === undefined || record.category_ids.includes(category_id);
  const costs = ({ record }: CountedProduct): boolean => record.price >= min && record.price <= max;
  const has = (product: CountedProduct): boolean => level === undefined || product.level === level;

  const byCategory = new Map<string, number>();
  for (const { record } of products.filter((product) => costs(product) && has(product)))
    for (const id of record.category_ids) byCategory.set(id, (byCategory.get(id) ?? 0) + 1);

  const priced = products.filter((product) => isIn(product) && has(product));
  const stocked = products.filter((product) => isIn(product) && costs(product));
  return {
    category: [...byCategory]
      .map(([id, count]) => ({ category_id: id, count }))
      .sort(compareFacets),
    price: spansOf(priced.map(({ record }) => record)),
    stock: stockLevels.map((name) => ({
      level: name,
      count: stocked.filter((product) => product.level === name).length,
    })),
  };
}

/** Divides the prices into spans, each as long as a round number. */
function spansOf(products: readonly ProductRecord[]): OwnerFacets["price"] {
  const [{ currency } = { currency: "" }] = products;
  if (products.length === 0 || products.some((product) => product.currency !== currency)) return [];

  const prices = products.map(({ price }) => price);
  const quarter = (Math.max(...prices) - Math.min(...prices)) / 4;
  const step = leastRound(Math.max(1, quarter), [1, 2, 5]);
  const counts = new Map<number, number>();
  for (const price of prices) {
    const min = Math.floor(price / step) * step;
    counts.set(min, (counts.get(min) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([min, count]) => ({ min, max: min + step - 1, currency, count }));
}
