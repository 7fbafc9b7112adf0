import { withoutClock } from "../clock/test-clock.ts";
import type { ProductRecord, StoreRecord } from "../records.ts";

/** A store has at most this many categories, and at most this many payment methods. */
export const maxRowsPerStore = 1_000;

/**
 * Tells whether the stored record is no longer the one that the owner's change was
 * made over.
 */
export const isStale = (stored: object | undefined, before: object | undefined): boolean =>
  before !== undefined && JSON.stringify(stored) !== JSON.stringify(before);

/** Tells the same of a store. Writes of its catalog and its clock change other fields of it. */
export const isStoreStale = (stored: StoreRecord, before: StoreRecord | undefined): boolean =>
  before !== undefined &&
  isStale(
    { ...withoutClock(stored), catalog_version: before.catalog_version },
    withoutClock(before),
  );

export interface StoredCatalog {
  /** The ids, by slug, of the products that the call does not write. */
  readonly slugs: ReadonlyMap<string, string>;
  readonly category_ids: ReadonlySet<string>;
}

/**
 * Finds the first of several products that cannot be stored, by its index. It gives
 * null when all can be stored.
 */
export function refuseProducts(
  products: readonly ProductRecord[],
  stored: StoredCatalog,
): { readonly outcome: "slug_taken" | "unknown_category"; readonly index: number } | null {
  const slugs = new Map(stored.slugs);

  for (const [index, product] of products.entries()) {
    const owner = slugs.get(product.slug);
    if (owner !== undefined && owner !== product.id) return { outcome: "slug_taken", index };
    slugs.set(product.slug, product.id);

    if (product.category_ids.some((id) => !stored.category_ids.has(id)))
      return { outcome: "unknown_category", index };
  }
  return null;
}
