import { countWords, type KnownWord, listCorrected } from "../../rules/catalog/corrections.ts";
import { pageOfProducts } from "../../rules/catalog/product-page.ts";
import type { ProductQuery, ProductRow } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";
import type { StoredProduct } from "./catalog-state.ts";

/** Gives a page of active products, with one row more that tells whether there is a next page. */
export function listPage(
  state: MemoryState,
  query: ProductQuery,
  category_id: string | null,
): ReturnType<typeof listCorrected<ProductQuery, ProductRow>> {
  const products = rowsOfStore(state.catalog.products, query.store_id);
  const list = (page: ProductQuery, category: string | null): readonly ProductRow[] =>
    pageOfProducts(products.values(), { ...page, category_id: category }).map(
      ({ id, position, product }) => ({
        id,
        position,
        document: query.livemode ? product.live : product.test,
      }),
    );

  const { store_id, livemode } = query;
  return listCorrected(query, async (page) => list(page, category_id), {
    isFound: async (search) => list({ store_id, livemode, search, limit: 1 }, null).length > 0,
    findWords: async () => knownWords(products, versionOf(state, store_id)),
  });
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
