import type { Cart } from "../rules/checkout-records.ts";
import type { Partition, ProductRecord } from "../rules/records.ts";
import type { StockChange } from "../rules/stock.ts";
import type { CatalogStore } from "../storage/types.ts";
import { bumpCatalog, onHand, storedProduct, within } from "./catalog.ts";
import { type MemoryState, rowKey } from "./state.ts";

type OwnerSide = Omit<
  CatalogStore,
  "findProduct" | "listProducts" | "listCategories" | "listPaymentMethods"
>;

const maxRows = 1_000;
const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
const modes = [true, false] as const;
const isStale = (stored: object | undefined, before: object | undefined): boolean =>
  before !== undefined && JSON.stringify(stored) !== JSON.stringify(before);

export function catalogOwner(state: MemoryState): OwnerSide {
  const { products, categories, methods, coupons, stock } = state.catalog;
  const knowsStore = (store_id: string): boolean => state.access.stores.has(store_id);

  const setStock = (record: ProductRecord): void => {
    for (const livemode of modes) {
      const key = rowKey({ store_id: record.store_id, livemode }, record.id);
      if (record.stock === null) stock.delete(key);
      else stock.set(key, { stock: record.stock, held: stock.get(key)?.held ?? 0 });
    }
  };

  return {
    async putProducts(store_id, entries) {
      if (!knowsStore(store_id)) return { outcome: "unknown_store" };
      const own = within(products, store_id);
      if (entries.some(({ record, before }) => isStale(own.get(record.id)?.record, before)))
        return { outcome: "stale" };
      const slugs = new Map([...own.values()].map(({ record }) => [record.slug, record.id]));
      const replaced = new Set(entries.map((entry) => entry.record.id));
      for (const [slug, id] of slugs) if (replaced.has(id)) slugs.delete(slug);
      for (const [index, { record }] of entries.entries()) {
        const taken = slugs.get(record.slug);
        if (taken !== undefined && taken !== record.id) return { outcome: "slug_taken", index };
        slugs.set(record.slug, record.id);
        if (record.category_ids.some((id) => !within(categories, store_id).has(id)))
          return { outcome: "unknown_category", index };
      }
      for (const { record, set_stock } of entries) {
        if (set_stock) setStock(record);
        own.set(record.id, storedProduct(state, record));
      }
      bumpCatalog(state, store_id);
      return { outcome: "stored" };
    },
    findProductRecord: async (store_id, id) => within(products, store_id).get(id)?.record ?? null,
    findProductRecords: async (store_id, ids) =>
      ids.flatMap((id) => within(products, store_id).get(id)?.record ?? []),
    listProductRecords: async (store_id, { after, limit }) =>
      [...within(products, store_id).values()]
        .map(({ record }) => record)
        .filter(({ id }) => after === null || id > after)
        .sort(byId)
        .slice(0, limit),
    async deleteProduct(store_id, id) {
      const deleted = within(products, store_id).delete(id);
      if (deleted) {
        for (const livemode of modes) stock.delete(rowKey({ store_id, livemode }, id));
        bumpCatalog(state, store_id);
      }
      return deleted;
    },
    async putCategory(category, before) {
      if (!knowsStore(category.store_id)) return { outcome: "unknown_store" };
      const own = within(categories, category.store_id);
      if (isStale(own.get(category.id), before)) return { outcome: "stale" };
      if (
        [...own.values()].some((other) => other.slug === category.slug && other.id !== category.id)
      )
        return { outcome: "slug_taken" };
      if (category.parent_id !== null && !own.has(category.parent_id))
        return { outcome: "unknown_parent" };
      if (!own.has(category.id) && own.size >= maxRows) return { outcome: "limit" };
      own.set(category.id, category);
      bumpCatalog(state, category.store_id);
      return { outcome: "stored" };
    },
    listCategoryRecords: async (store_id) => [...within(categories, store_id).values()].sort(byId),
    async deleteCategory(store_id, id) {
      const own = within(categories, store_id);
      if (!own.delete(id)) return false;
      for (const child of own.values())
        if (child.parent_id === id) own.set(child.id, { ...child, parent_id: null });
      const listed = within(products, store_id);
      for (const { record } of [...listed.values()]) {
        if (!record.category_ids.includes(id)) continue;
        listed.set(
          record.id,
          storedProduct(state, {
            ...record,
            category_ids: record.category_ids.filter((other) => other !== id),
          }),
        );
      }
      bumpCatalog(state, store_id);
      return true;
    },
    async putPaymentMethod(method, before) {
      if (!knowsStore(method.store_id)) return { outcome: "unknown_store" };
      const own = within(methods, method.store_id);
      if (isStale(own.get(method.id), before)) return { outcome: "stale" };
      if (!own.has(method.id) && own.size >= maxRows) return { outcome: "limit" };
      own.set(method.id, method);
      bumpCatalog(state, method.store_id);
      return { outcome: "stored" };
    },
    async deletePaymentMethod(store_id, id) {
      const deleted = within(methods, store_id).delete(id);
      if (deleted) bumpCatalog(state, store_id);
      return deleted;
    },
    async putCoupon(coupon, before) {
      if (!knowsStore(coupon.store_id)) return { outcome: "unknown_store" };
      const own = within(coupons, coupon.store_id);
      if (isStale(own.get(coupon.id), before)) return { outcome: "stale" };
      if ([...own.values()].some((other) => other.code === coupon.code && other.id !== coupon.id))
        return { outcome: "code_taken" };
      own.set(coupon.id, coupon);
      return { outcome: "stored" };
    },
    listCoupons: async (store_id, { after, limit }) =>
      [...within(coupons, store_id).values()]
        .filter(({ id }) => after === null || id > after)
        .sort(byId)
        .slice(0, limit),
    deleteCoupon: async (store_id, id) => within(coupons, store_id).delete(id),
  };
}

export function loadCart(
  state: MemoryState,
  partition: Partition,
  product_ids: readonly string[],
  coupon_code: string | null,
): Cart {
  const own = within(state.catalog.products, partition.store_id);
  const found =
    coupon_code === null
      ? undefined
      : [...within(state.catalog.coupons, partition.store_id).values()].find(
          (coupon) => coupon.code === coupon_code,
        );
  return {
    products: product_ids.flatMap((id) => {
      const product = own.get(id);
      return product ? [{ on_hand: onHand(state, partition, id), ...product.record }] : [];
    }),
    coupon: found
      ? { ...found, used: state.catalog.coupon_uses.get(rowKey(partition, found.id)) ?? 0 }
      : null,
  };
}

/** False, and nothing written, when a guard fails. A change that flips `available` renders the product anew and moves the catalog version. */
export function adjustStock(
  state: MemoryState,
  partition: Partition,
  changes: readonly StockChange[],
): boolean {
  const { stock, products } = state.catalog;
  const short = changes.some((change) => {
    const row = stock.get(rowKey(partition, change.product_id));
    return change.guarded && row && row.stock - row.held < change.held_delta - change.stock_delta;
  });
  if (short) return false;
  let flipped = false;
  for (const change of changes) {
    const key = rowKey(partition, change.product_id);
    const row = stock.get(key);
    if (!row) continue;
    const after = {
      stock: row.stock + change.stock_delta,
      held: Math.max(0, row.held + change.held_delta),
    };
    stock.set(key, after);
    const product = within(products, partition.store_id).get(change.product_id);
    if (!product || row.stock - row.held > 0 === after.stock - after.held > 0) continue;
    within(products, partition.store_id).set(
      change.product_id,
      storedProduct(state, product.record),
    );
    flipped = true;
  }
  if (flipped) bumpCatalog(state, partition.store_id);
  return true;
}

/** False when the guard fails. */
export function adjustCoupon(
  state: MemoryState,
  partition: Partition,
  coupon_id: string,
  used_delta: 1 | -1,
  guarded: boolean,
): boolean {
  const key = rowKey(partition, coupon_id);
  const used = state.catalog.coupon_uses.get(key) ?? 0;
  const most = within(state.catalog.coupons, partition.store_id).get(coupon_id)?.max_uses ?? null;
  if (guarded && most !== null && used >= most) return false;
  state.catalog.coupon_uses.set(key, Math.max(0, used + used_delta));
  return true;
}
