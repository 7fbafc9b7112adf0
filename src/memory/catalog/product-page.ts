import { isFound, readSearch } from "../../rules/catalog/product-search.ts";
import { sortKeys } from "../../rules/catalog/product-sort.ts";
import { relevancePlaces } from "../../rules/catalog/relevance.ts";
import type { ProductQuery, ProductRow } from "../../storage/types.ts";
import { comparePositions } from "../sort.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";
import type { StoredProduct } from "./catalog-state.ts";

/** Gives a page of active products, with one row more that tells whether there is a next page. */
export function listPage(
  state: MemoryState,
  { store_id, livemode, search, sort = "position", after, offset = 0, limit }: ProductQuery,
  category_id: string | null,
): readonly ProductRow[] {
  const products = [...rowsOfStore(state.catalog.products, store_id).values()];
  const words = search === undefined ? null : readSearch(search);
  const found = products.filter(
    ({ record, folded }) => record.active && (words === null || isFound(words, folded)),
  );
  const listed = found.filter(
    ({ record }) => category_id === null || record.category_ids.includes(category_id),
  );

  const { field, descending } = sortKeys[sort === "relevance" ? "position" : sort];
  const compare: typeof comparePositions = (a, b) =>
    descending ? comparePositions(b, a) : comparePositions(a, b);
  const placeOf =
    sort === "relevance" && words !== null
      ? relevancePlaces(words, found, namedProduct)
      : ({ record }: StoredProduct) => record[field];
  return listed
    .map((product) => ({
      id: product.record.id,
      position: placeOf(product),
      document: livemode ? product.live : product.test,
    }))
    .filter((row) => after === undefined || compare(row, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit + 1);
}

const namedProduct = ({ record, folded: [name] }: StoredProduct) => ({
  name,
  position: record.position,
});
