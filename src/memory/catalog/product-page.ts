import { comparePositions } from "../../domain/sort.ts";
import { countWords, type KnownWord, listCorrected } from "../../rules/catalog/corrections.ts";
import { facetPage, facetsOf, noFacets } from "../../rules/catalog/facets.ts";
import {
  cardOf,
  groupIn,
  withCard,
  withVariants,
} from "../../rules/catalog/groups/group-documents.ts";
import { pageOfProducts } from "../../rules/catalog/product-page.ts";
import type { Partition } from "../../rules/records.ts";
import type { ProductQuery, ProductRow } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";
import type { StoredProduct } from "./catalog-state.ts";

/** Gives a page of active products, with one row more that tells whether there is a next page. */
export async function listPage(
  state: MemoryState,
  query: ProductQuery,
  category_id: string | null,
) {
  const products = rowsOfStore(state.catalog.products, query.store_id);
  const list = (page: ProductQuery, category: string | null): readonly ProductRow[] =>
    pageOfProducts(products.values(), { ...page, category_id: category }).map(
      ({ id, position, product }) => ({
        id,
        position,
        document: documentOf(state, query, product),
      }),
    );

  const { store_id, livemode } = query;
  const listed = await listCorrected(query, async (page) => list(page, category_id), {
    isFound: async (search) => list({ store_id, livemode, search, limit: 1 }, null).length > 0,
    findWords: async () => knownWords(products, versionOf(state, store_id)),
  });
  if (!query.facets) return listed;

  const categories = rowsOfStore(state.catalog.categories, store_id);
  const page = facetPage(query, listed.corrected_to ?? query.search, category_id);
  const found = pageOfProducts(products.values(), page).map(({ product }) =>
    livemode ? product.live : product.test,
  );
  const facets = facetsOf(found, (id) => categories.get(id)?.enabled === true);
  return { ...listed, facets };
}

/** Answers a query that no product can meet. */
export const noPage = (query: ProductQuery) => ({ rows: [], ...noFacets(query) });

function documentOf(state: MemoryState, query: ProductQuery, product: StoredProduct): string {
  const document = query.livemode ? product.live : product.test;
  if (query.group !== "first" || !product.record.group) return document;
  return withCard(document, cardOf(membersOf(state, query, product.record.group)));
}

/** Adds its whole group to the document of a product. */
export function inGroup(state: MemoryState, partition: Partition, document: string): string {
  const group = groupIn(document);
  return group === null ? document : withVariants(document, membersOf(state, partition, group));
}

/** Gives the documents of the active products of a group. */
function membersOf(
  state: MemoryState,
  { store_id, livemode }: Partition,
  group: string,
): readonly string[] {
  return [...rowsOfStore(state.catalog.products, store_id).values()]
    .filter(({ record }) => record.active && record.group === group)
    .sort((one, other) => comparePositions(one.record, other.record))
    .map((product) => (livemode ? product.live : product.test));
}

const versionOf = ({ access }: MemoryState, store_id: string): number =>
  access.stores.get(store_id)?.catalog_version ?? 0;

interface CountedWords {
  readonly version: number;
  readonly words: readonly KnownWord[];
}

const counted = new WeakMap<object, CountedWords>();

/** Counts the words of a store's names once for each version of the catalog. */
function knownWords(
  products: ReadonlyMap<string, StoredProduct>,
  version: number,
): readonly KnownWord[] {
  const known = counted.get(products);
  if (known?.version === version) return known.words;

  const active = [...products.values()].filter(({ record }) => record.active);
  const count = countWords(active.map(({ folded }) => folded[0]));
  const words = [...count].map(([word, amount]) => ({ word, products: amount }));
  counted.set(products, { version, words });
  return words;
}
