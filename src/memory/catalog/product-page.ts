import { listShelf, type Shelf, withGroup } from "../../rows/shelf.ts";
import { productView } from "../../rules/catalog/product-view.ts";
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
    view: productView(rowsOfStore(products, store_id).values()),
    categories: [...rowsOfStore(categories, store_id).values()].filter(({ enabled }) => enabled),
    documentOf: (product) => (livemode ? product.live : product.test),
  };
}
