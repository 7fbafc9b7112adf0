import { compareIds } from "../../domain/sort.ts";
import { selectCoupons } from "../../rows/lists/office.ts";
import { selectOwnProducts } from "../../rows/lists/products.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { CatalogStore } from "../../storage/types.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";

export type OwnReads = Pick<
  CatalogStore,
  "findProductRecords" | "listProductRecords" | "listCategoryRecords" | "listCoupons"
>;

/** Reads the catalog for its owner, drafts too. */
export function memoryOwnReads(state: MemoryState): OwnReads {
  const { products, categories, coupons, stock } = state.catalog;

  return {
    async findProductRecords(store_id, values, by = "id") {
      const rows = rowsOfStore(products, store_id);
      if (by === "id") return values.flatMap((id) => rows.get(id)?.record ?? []);

      const wanted = new Set<unknown>(values);
      const found: ProductRecord[] = [];
      for (const { record } of rows.values()) if (wanted.has(record[by])) found.push(record);
      return found;
    },

    listProductRecords: async (store_id, query) =>
      selectOwnProducts(
        rowsOfStore(products, store_id).values(),
        (id, livemode) => stock.get(rowKey({ store_id, livemode }, id)),
        query,
      ),

    listCategoryRecords: async (store_id) =>
      [...rowsOfStore(categories, store_id).values()].sort(compareIds),

    listCoupons: async (store_id, query) =>
      selectCoupons(rowsOfStore(coupons, store_id).values(), query),
  };
}
