import type { CategoryRecord, ProductRecord, StoreRecord } from "../records.ts";

/** A store has at most this many categories, and at most this many payment methods. */
export const maxRowsPerStore = 1_000;

/**
 * Tells whether the stored record is no longer the one that the owner's change was
 * made over.
 */
export const isStale = (stored: object | undefined, before: object | undefined): boolean =>
  before !== undefined && JSON.stringify(stored) !== JSON.stringify(before);

/** Tells the same of a store, whose version each write of its catalog increases. */
export const isStoreStale = (stored: StoreRecord, before: StoreRecord | undefined): boolean =>
  before !== undefined && isStale({ ...stored, catalog_version: before.catalog_version }, before);

/**
 * Tells why a category cannot be stored beside the store's other ones. It gives
 * null when it can.
 */
export function refuseCategory(
  category: CategoryRecord,
  stored: readonly Pick<CategoryRecord, "id" | "slug">[],
): "slug_taken" | "unknown_parent" | "limit" | null {
  const isKnown = (id: string): boolean => stored.some((other) => other.id === id);

  if (stored.some((other) => other.slug === category.slug && other.id !== category.id))
    return "slug_taken";
  if (category.parent_id !== null && !isKnown(category.parent_id)) return "unknown_parent";
  return stored.length >= maxRowsPerStore && !isKnown(category.id) ? "limit" : null;
}

/** Tells whether a new payment method would be one too many. */
export const exceedsMethodLimit = (
  id: string,
  stored: readonly { readonly id: string }[],
): boolean => stored.length >= maxRowsPerStore && !stored.some((other) => other.id === id);

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
