import { maxRowsPerStore } from "../../rules/catalog/catalog-writes.ts";
import { resolveCategory } from "../../rules/catalog/category-filter.ts";
import { sortKeys } from "../../rules/catalog/product-sort.ts";
import type { CatalogStore, ProductQuery, ProductRow } from "../../storage/types.ts";
import { comparePositions } from "../sort.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";
import { memoryOwnReads } from "./own-reads.ts";

export function memoryCatalog(state: MemoryState): CatalogStore {
  const { products, categories, methods } = state.catalog;

  const enabledCategories = (store_id: string) =>
    [...rowsOfStore(categories, store_id).values()].filter(({ enabled }) => enabled);

  return {
    ...memoryOwnReads(state),

    async findProduct({ store_id, livemode }, id_or_slug) {
      const rows = rowsOfStore(products, store_id);
      const found =
        rows.get(id_or_slug) ?? [...rows.values()].find(({ record }) => record.slug === id_or_slug);

      if (!found?.record.active) return null;
      return { document: livemode ? found.live : found.test };
    },

    async listProducts(query) {
      const category = resolveCategory(enabledCategories(query.store_id), {
        slug: query.category_slug,
        id: query.category_id,
      });
      if (category.outcome === "conflict") return { outcome: "category_conflict" };
      if (category.outcome === "unknown") return { outcome: "listed", rows: [] };

      const category_id = category.outcome === "all" ? null : category.id;
      return { outcome: "listed", rows: listPage(state, query, category_id) };
    },

    listCategories: async (store_id) =>
      enabledCategories(store_id).sort(comparePositions).slice(0, maxRowsPerStore),

    listPaymentMethods: async (store_id) =>
      [...rowsOfStore(methods, store_id).values()].sort(comparePositions).slice(0, maxRowsPerStore),
  };
}

/** Gives a page of active products, with one row more that tells whether there is a next page. */
function listPage(
  state: MemoryState,
  { store_id, livemode, search, sort = "position", after, offset = 0, limit }: ProductQuery,
  category_id: string | null,
): readonly ProductRow[] {
  const products = [...rowsOfStore(state.catalog.products, store_id).values()];
  const listed = products.filter(
    ({ record, folded }) =>
      record.active &&
      (category_id === null || record.category_ids.includes(category_id)) &&
      (search === undefined || folded.some((text) => text.includes(search))),
  );

  const { field, descending } = sortKeys[sort];
  const compare: typeof comparePositions = (a, b) =>
    descending ? comparePositions(b, a) : comparePositions(a, b);
  return listed
    .map(({ record, live, test }) => ({
      id: record.id,
      position: record[field],
      document: livemode ? live : test,
    }))
    .filter((row) => after === undefined || compare(row, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit + 1);
}
