import { exceedsMethodLimit, isStale, refuseCategory } from "../../rules/catalog/catalog-writes.ts";
import type { CatalogStore } from "../../storage/types.ts";
import { noteChange } from "../access/note-change.ts";
import { compareIds, pageById } from "../sort.ts";
import type { MemoryState } from "../state.ts";
import { bumpCatalogVersion, putProduct, rowsOfStore } from "./catalog-rows.ts";

type OwnerCatalog = OwnerCategories & OwnerPaymentMethods & OwnerCoupons;
type OwnerCategories = Pick<CatalogStore, "putCategory" | "listCategoryRecords" | "deleteCategory">;
type OwnerPaymentMethods = Pick<CatalogStore, "putPaymentMethod" | "deletePaymentMethod">;
type OwnerCoupons = Pick<CatalogStore, "putCoupon" | "listCoupons" | "deleteCoupon">;

/** Writes and reads categories, payment methods and coupons for their owner. */
export const memoryOwnerCatalog = (state: MemoryState): OwnerCatalog => ({
  ...ownerCategories(state),
  ...ownerPaymentMethods(state),
  ...ownerCoupons(state),
});

function ownerCategories(state: MemoryState): OwnerCategories {
  const { categories } = state.catalog;

  return {
    async putCategory(category, before) {
      const { store_id, id } = category;
      if (!state.access.stores.has(store_id)) return { outcome: "unknown_store" };

      const rows = rowsOfStore(categories, store_id);
      const stored = rows.get(id) ?? null;
      if (isStale(stored ?? undefined, before)) return { outcome: "stale" };
      const refusal = refuseCategory(category, [...rows.values()]);
      if (refusal) return { outcome: refusal };

      rows.set(id, category);
      bumpCatalogVersion(state, store_id);
      noteChange(state, { kind: "record", type: "category", before: stored, after: category });
      return { outcome: "stored" };
    },

    listCategoryRecords: async (store_id) =>
      [...rowsOfStore(categories, store_id).values()].sort(compareIds),

    async deleteCategory(store_id, id) {
      const rows = rowsOfStore(categories, store_id);
      const before = rows.get(id);
      if (!before) return false;

      rows.delete(id);
      for (const child of rows.values())
        if (child.parent_id === id) rows.set(child.id, { ...child, parent_id: null });
      removeFromProducts(state, store_id, id);
      bumpCatalogVersion(state, store_id);
      noteChange(state, { kind: "record", type: "category", before, after: null });
      return true;
    },
  };
}

function removeFromProducts(state: MemoryState, store_id: string, category_id: string): void {
  const products = [...rowsOfStore(state.catalog.products, store_id).values()];
  for (const { record } of products) {
    if (!record.category_ids.includes(category_id)) continue;
    const category_ids = record.category_ids.filter((other) => other !== category_id);
    putProduct(state, { ...record, category_ids });
  }
}

function ownerPaymentMethods(state: MemoryState): OwnerPaymentMethods {
  const { methods } = state.catalog;

  return {
    async putPaymentMethod(method, before) {
      const { store_id, id } = method;
      if (!state.access.stores.has(store_id)) return { outcome: "unknown_store" };

      const rows = rowsOfStore(methods, store_id);
      const stored = rows.get(id) ?? null;
      if (isStale(stored ?? undefined, before)) return { outcome: "stale" };
      if (exceedsMethodLimit(id, [...rows.values()])) return { outcome: "limit" };

      rows.set(id, method);
      bumpCatalogVersion(state, store_id);
      noteChange(state, { kind: "record", type: "payment_method", before: stored, after: method });
      return { outcome: "stored" };
    },

    async deletePaymentMethod(store_id, id) {
      const rows = rowsOfStore(methods, store_id);
      const before = rows.get(id);
      if (!before) return false;

      rows.delete(id);
      bumpCatalogVersion(state, store_id);
      noteChange(state, { kind: "record", type: "payment_method", before, after: null });
      return true;
    },
  };
}

function ownerCoupons(state: MemoryState): OwnerCoupons {
  const { coupons } = state.catalog;

  return {
    async putCoupon(coupon, before) {
      const { store_id, id, code } = coupon;
      if (!state.access.stores.has(store_id)) return { outcome: "unknown_store" };

      const rows = rowsOfStore(coupons, store_id);
      const stored = rows.get(id) ?? null;
      if (isStale(stored ?? undefined, before)) return { outcome: "stale" };
      if ([...rows.values()].some((other) => other.code === code && other.id !== id))
        return { outcome: "code_taken" };

      rows.set(id, coupon);
      noteChange(state, { kind: "record", type: "coupon", before: stored, after: coupon });
      return { outcome: "stored" };
    },

    listCoupons: async (store_id, page) => pageById(rowsOfStore(coupons, store_id).values(), page),

    async deleteCoupon(store_id, id) {
      const rows = rowsOfStore(coupons, store_id);
      const before = rows.get(id);
      if (!before) return false;

      rows.delete(id);
      noteChange(state, { kind: "record", type: "coupon", before, after: null });
      return true;
    },
  };
}
