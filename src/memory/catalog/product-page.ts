import { listShelf, type Shelf, withGroup } from "../../rows/shelf.ts";
import { type ProductView, productView } from "../../rules/catalog/product-view.ts";
import type { Partition } from "../../rules/records.ts";
import type { ProductQuery } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";
import type { StoredProduct } from "./catalog-state.ts";

/** Lists a page of what a store shows. */
export const listPage = (state: MemoryState, query: ProductQuery) =>
  listShelf(shelfOf(state, query), query);

/** Adds its whole group to the document of a product. */
export const inGroup = (state: MemoryState, partition: Partition, document: string): string =>
  withGroup(shelfOf(state, partition), document);

function shelfOf(state: MemoryState, { store_id, livemode }: Partition): Shelf<StoredProduct> {
  const { products, categories } = state.catalog;
  return {
    view: viewOf(rowsOfStore(products, store_id), versionOf(state, store_id)),
    categories: [...rowsOfStore(categories, store_id).values()].filter(({ enabled }) => enabled),
    documentOf: (product) => (livemode ? product.live : product.test),
  };
}

const versionOf = ({ access }: MemoryState, store_id: string): number =>
  access.stores.get(store_id)?.catalog_version ?? 0;

interface KnownView {
  readonly version: number;
  readonly view: ProductView<StoredProduct>;
}

const views = new WeakMap<object, KnownView>();

/** Sorts a store's products, and counts their words, once for each version of the catalog. */
function viewOf(
  products: ReadonlyMap<string, StoredProduct>,
  version: number,
): ProductView<StoredProduct> {
  const known = views.get(products);
  if (known?.version === version) return known.view;

  const view = productView(products.values());
  views.set(products, { version, view });
  return view;
}
