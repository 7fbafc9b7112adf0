import type { AllProductFacets } from "../../contract/catalog/facets-schema.ts";
import type { Product } from "../../contract/schemas.ts";
import type { ProductPage } from "./product-page.ts";

/** The most products of a list whose facets are counted. */
export const maxFacetHits = 10_000;

/** Puts the categories with the most products first, and those with as many by id. */
export const compareFacets = (
  one: AllProductFacets["category"][number],
  other: AllProductFacets["category"][number],
): number => other.count - one.count || (one.category_id < other.category_id ? -1 : 1);

/** Counts products by their documents. Of the categories, only those that are shown count. */
export function facetsOf(
  documents: readonly string[],
  isShown: (category_id: string) => boolean,
): AllProductFacets | null {
  if (documents.length > maxFacetHits) return null;

  const products = documents.map((document) => JSON.parse(document) as Product);
  const counts = new Map<string, number>();
  for (const id of products.flatMap(({ category_ids }) => category_ids))
    if (isShown(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const prices = products.map(({ price }) => price);
  const available = products.filter((product) => product.available).length;
  return {
    category: [...counts]
      .map(([category_id, count]) => ({ category_id, count }))
      .sort(compareFacets),
    price: prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices) },
    available: { true: available, false: products.length - available },
  };
}

/** Answers a query that no product can meet. */
export const noFacets = (query: {
  readonly facets?: true;
}): { readonly facets?: AllProductFacets | null } =>
  query.facets ? { facets: facetsOf([], () => false) } : {};

/** Selects what is counted, for a storage that holds all products in memory. */
export const facetPage = (
  { group }: Pick<ProductPage, "group">,
  search: string | undefined,
  category_id: string | null,
): ProductPage => ({
  category_id,
  limit: maxFacetHits,
  ...(search !== undefined && { search }),
  ...(group && { group }),
});
