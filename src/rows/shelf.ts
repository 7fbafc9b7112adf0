import { resolveCategory } from "../rules/catalog/category-filter.ts";
import { facetPage, facetsOf, maxFacetHits, noFacets } from "../rules/catalog/facets.ts";
import {
  cardOf,
  groupIn,
  withCard,
  withVariants,
} from "../rules/catalog/groups/group-documents.ts";
import { pageOfProducts } from "../rules/catalog/product-page.ts";
import type { ProductView } from "../rules/catalog/product-view.ts";
import { listCorrected } from "../rules/catalog/search/corrections.ts";
import { type FoldedProduct, readSearch } from "../rules/catalog/search/product-search.ts";
import type { CategoryRecord } from "../rules/records.ts";
import type { CatalogStore, ProductQuery, ProductRow } from "../storage/types.ts";

/** What a store shows in one mode, for a storage that holds all of it in memory. */
export interface Shelf<Product extends FoldedProduct> {
  readonly view: ProductView<Product>;
  /** The enabled categories. */
  readonly categories: readonly CategoryRecord[];
  /** Gives the public JSON of a product. */
  documentOf(product: Product): string;
}

type Listed = Awaited<ReturnType<CatalogStore["listProducts"]>>;

/** Lists a page of the products that a store shows. */
export async function listShelf<Product extends FoldedProduct>(
  shelf: Shelf<Product>,
  query: ProductQuery,
): Promise<Listed> {
  const { view, categories } = shelf;
  const asked = { slug: query.category_slug, id: query.category_id };
  const category = resolveCategory(categories, asked);
  if (category.outcome === "conflict") return { outcome: "category_conflict" };
  if (category.outcome === "unknown") return { outcome: "listed", rows: [], ...noFacets(query) };

  const category_id = category.outcome === "all" ? null : category.id;
  const list = async (page: ProductQuery): Promise<readonly ProductRow[]> =>
    pageOfProducts(view, { ...page, category_id }).map(({ id, position, product }) => ({
      id,
      position,
      document: shown(shelf, query, product),
    }));
  const listed = await listCorrected(query, list, {
    isFound: async (search) =>
      pageOfProducts(view, { category_id: null, search, limit: 1 }).length > 0,
    findWords: async () => view.words(),
  });
  if (!query.facets) return { outcome: "listed", ...listed };

  const search = listed.corrected_to ?? query.search;
  const hitsIn = (id: string | null) => pageOfProducts(view, facetPage(query, search, id));
  // A search that an index finds and that has too many hits in the store is not counted.
  const scope = readSearch(search ?? "").ranked ? null : category_id;
  const found = hitsIn(scope);
  const isAll = scope === category_id || found.length > maxFacetHits;
  const counted = isAll ? found : hitsIn(category_id);
  const documents = counted.map(({ product }) => shelf.documentOf(product));
  const isShown = (id: string): boolean => categories.some((known) => known.id === id);
  return { outcome: "listed", ...listed, facets: facetsOf(documents, isShown) };
}

/** Gives the document of a product; in a list of groups, with the prices of its group. */
function shown<Product extends FoldedProduct>(
  { view, documentOf }: Shelf<Product>,
  { group }: ProductQuery,
  product: Product,
): string {
  const document = documentOf(product);
  if (group !== "first" || !product.record.group) return document;
  return withCard(document, cardOf(view.membersOf(product.record.group).map(documentOf)));
}

/** Adds its whole group to the document of a product. */
export function withGroup<Product extends FoldedProduct>(
  { view, documentOf }: Pick<Shelf<Product>, "view" | "documentOf">,
  document: string,
): string {
  const group = groupIn(document);
  return group === null ? document : withVariants(document, view.membersOf(group).map(documentOf));
}
