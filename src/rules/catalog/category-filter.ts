/** A category by its id and its slug. */
export interface CategoryName {
  readonly id: string;
  readonly slug: string;
}

/** The outcome of looking up the category that a list asks for. */
export type CategoryFilter =
  | { readonly outcome: "all" }
  | { readonly outcome: "category"; readonly id: string }
  | { readonly outcome: "conflict" }
  | { readonly outcome: "unknown" };

/**
 * Finds the category that a product list asks for by slug, id or both. A slug and
 * an id of different categories are a conflict, also when only one of the two
 * exists. `enabled` holds the enabled categories; a disabled one counts as unknown.
 */
export function resolveCategory(
  enabled: readonly CategoryName[],
  { slug, id }: { readonly slug: string | undefined; readonly id: string | undefined },
): CategoryFilter {
  if (slug === undefined && id === undefined) return { outcome: "all" };

  const bySlug = enabled.find((category) => category.slug === slug);
  const byId = enabled.find((category) => category.id === id);
  const found = bySlug ?? byId;
  if (!found) return { outcome: "unknown" };

  const isBoth = slug !== undefined && id !== undefined;
  if (isBoth && bySlug?.id !== byId?.id) return { outcome: "conflict" };
  return { outcome: "category", id: found.id };
}
