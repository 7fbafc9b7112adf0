import { lazyService } from "../../domain/async/lazy-service.ts";
import { comparePositions } from "../../domain/sort.ts";
import { maxRowsPerStore } from "../../rules/catalog/stale-records.ts";
import type { CatalogStore } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";
import { rowsOfStore } from "./catalog-rows.ts";
import type { OwnReads } from "./own-reads.ts";

export function memoryCatalog(state: MemoryState): CatalogStore {
  const { products, categories, methods } = state.catalog;
  const own = lazyService<OwnReads>(async () =>
    (await import("./own-reads.ts")).memoryOwnReads(state),
  );

  const enabledCategories = (store_id: string) =>
    [...rowsOfStore(categories, store_id).values()].filter(({ enabled }) => enabled);

  return {
    findProductRecords: (...query) => own.findProductRecords(...query),
    listProductRecords: (...query) => own.listProductRecords(...query),
    listCategoryRecords: (...query) => own.listCategoryRecords(...query),
    listCoupons: (...query) => own.listCoupons(...query),

    async findProduct({ store_id, livemode }, id_or_slug) {
      const rows = rowsOfStore(products, store_id);
      const found =
        rows.get(id_or_slug) ?? [...rows.values()].find(({ record }) => record.slug === id_or_slug);

      if (!found?.record.active) return null;
      const document = livemode ? found.live : found.test;
      if (!found.record.group) return { document };
      const { inGroup } = await import("./product-page.ts");
      return { document: inGroup(state, { store_id, livemode }, document) };
    },

    listProducts: async (query) => {
      const { listPage } = await import("./product-page.ts");
      return listPage(state, query);
    },

    listCategories: async (store_id) =>
      enabledCategories(store_id).sort(comparePositions).slice(0, maxRowsPerStore),

    listPaymentMethods: async (store_id) =>
      [...rowsOfStore(methods, store_id).values()].sort(comparePositions).slice(0, maxRowsPerStore),
  };
}
