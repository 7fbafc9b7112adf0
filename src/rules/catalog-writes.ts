import type { CategoryRecord, ProductRecord } from "./records.ts";

/** The most categories of a store, and the most payment methods. */
export const maxRowsPerStore = 1_000;

/**
 * Tells whether the stored record is no longer the one that the owner's change was
 * made over.
 */
export const isStale = (stored: object | undefined, before: object | undefined): boolean =>
  before !== undefined && JSON.stringify(stored) !== JSON.stringify(before);

/** Why a category cannot be stored beside the store's other ones; null when it can. */
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
  /** Ids by slug, of the products that the call does not write. */
  readonly slugs: ReadonlyMap<string, string>;
  readonly category_ids: ReadonlySet<string>;
}

/** The first of several products that cannot be stored, by its index; null when all can. */
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
