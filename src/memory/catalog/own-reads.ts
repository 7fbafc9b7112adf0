import { compareIds, pageById } from "../../domain/sort.ts";
import { hasCode } from "../../rules/catalog/groups/product-groups.ts";
import { mostScanned } from "../../rules/catalog/product-rank.ts";
import { isFound, readSearch } from "../../rules/catalog/product-search.ts";
import { stockLevelOf } from "../../rules/catalog/stock.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { CatalogStore } from "../../storage/types.ts";
import { type MemoryState, rowKey } from "../state.ts";
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

    async listProductRecords(store_id, query) {
      const { search, code, group, active, category_id, stock: wanted, ...page } = query;
      const words = search === undefined ? null : readSearch(search);
      const hasLevel = (id: string): boolean => {
        if (wanted === undefined) return true;
        const key = rowKey({ store_id, livemode: wanted.livemode }, id);
        return stockLevelOf(stock.get(key)) === wanted.level;
      };

      const rows = [...rowsOfStore(products, store_id).values()];
      const looked =
        words === null || words.ranked
          ? rows
          : rows.sort((a, b) => compareIds(a.record, b.record)).slice(0, mostScanned);
      const matching = looked.filter(
        ({ record, folded }) =>
          (words === null || isFound(words, folded) || hasCode(record, { search, code })) &&
          (group === undefined || record.group === group) &&
          (active === undefined || record.active === active) &&
          (category_id === undefined || record.category_ids.includes(category_id)) &&
          hasLevel(record.id),
      );
      return pageById(
        matching.map(({ record }) => record),
        page,
      );
    },

    listCategoryRecords: async (store_id) =>
      [...rowsOfStore(categories, store_id).values()].sort(compareIds),

    listCoupons: async (store_id, page) => pageById(rowsOfStore(coupons, store_id).values(), page),
  };
}
