import { isStale, refuseProducts } from "../../rules/catalog/catalog-writes.ts";
import { stockLevelOf } from "../../rules/catalog/stock.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { CatalogStore } from "../../storage/types.ts";
import { noteChange } from "../access/note-change.ts";
import { pageById } from "../sort.ts";
import { type MemoryState, rowKey } from "../state.ts";
import { bumpCatalogVersion, modes, putProduct, rowsOfStore } from "./catalog-rows.ts";

type OwnerProducts = Pick<
  CatalogStore,
  | "putProducts"
  | "findProductRecord"
  | "findProductRecords"
  | "listProductRecords"
  | "deleteProduct"
>;

/** Writes and reads products for their owner. */
export function memoryOwnerProducts(state: MemoryState): OwnerProducts {
  const { products, categories, stock } = state.catalog;

  return {
    async putProducts(store_id, entries) {
      if (!state.access.stores.has(store_id)) return { outcome: "unknown_store" };

      const rows = rowsOfStore(products, store_id);
      if (entries.some(({ record, before }) => isStale(rows.get(record.id)?.record, before)))
        return { outcome: "stale" };

      const records = entries.map(({ record }) => record);
      const written = new Set(records.map(({ id }) => id));
      const others = [...rows.values()].filter(({ record }) => !written.has(record.id));
      const refusal = refuseProducts(records, {
        slugs: new Map(others.map(({ record }) => [record.slug, record.id])),
        category_ids: new Set(rowsOfStore(categories, store_id).keys()),
      });
      if (refusal) return refusal;

      const before = [...written].flatMap((id) => rows.get(id)?.record ?? []);
      for (const { record, set_stock } of entries) {
        if (set_stock) setStock(state, record);
        putProduct(state, record);
      }
      bumpCatalogVersion(state, store_id);
      noteChange(state, { kind: "products", store_id, before, after: records });
      return { outcome: "stored" };
    },

    findProductRecord: async (store_id, id) =>
      rowsOfStore(products, store_id).get(id)?.record ?? null,

    findProductRecords: async (store_id, ids) =>
      ids.flatMap((id) => rowsOfStore(products, store_id).get(id)?.record ?? []),

    async listProductRecords(store_id, query) {
      const { search, active, category_id, stock: wanted, ...page } = query;
      const hasLevel = (id: string): boolean => {
        if (wanted === undefined) return true;
        const key = rowKey({ store_id, livemode: wanted.livemode }, id);
        return stockLevelOf(stock.get(key)) === wanted.level;
      };

      const matching = [...rowsOfStore(products, store_id).values()].filter(
        ({ record, folded }) =>
          (search === undefined || folded.some((text) => text.includes(search))) &&
          (active === undefined || record.active === active) &&
          (category_id === undefined || record.category_ids.includes(category_id)) &&
          hasLevel(record.id),
      );
      return pageById(
        matching.map(({ record }) => record),
        page,
      );
    },

    async deleteProduct(store_id, id) {
      const rows = rowsOfStore(products, store_id);
      const before = rows.get(id)?.record;
      if (!before) return false;

      rows.delete(id);
      for (const livemode of modes) stock.delete(rowKey({ store_id, livemode }, id));
      bumpCatalogVersion(state, store_id);
      noteChange(state, { kind: "record", type: "product", before, after: null });
      return true;
    },
  };
}

/**
 * Sets the stock of both modes. With null as the stock the counting ends. Held
 * pieces stay held in either case.
 */
function setStock(state: MemoryState, { store_id, id, stock }: ProductRecord): void {
  const counts = state.catalog.stock;
  for (const livemode of modes) {
    const key = rowKey({ store_id, livemode }, id);
    const known = counts.get(key);
    if (stock !== null) counts.set(key, { stock, held: known?.held ?? 0, counted: true });
    else if (known) counts.set(key, { ...known, counted: false });
  }
}
