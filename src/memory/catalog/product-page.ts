import { pageOfProducts } from "../../rules/catalog/product-page.ts";
import type { ProductQuery, ProductRow } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";

/** Gives a page of active products, with one row more that tells whether there is a next page. */
export function listPage(
  state: MemoryState,
  query: ProductQuery,
  category_id: string | null,
): readonly ProductRow[] {
  const products = rowsOfStore(state.catalog.products, query.store_id).values();
  const page = pageOfProducts(products, { ...query, category_id });
  return page.map(({ id, position, product }) => ({
    id,
    position,
    document: query.livemode ? product.live : product.test,
  }));
}
