import type { PaymentMethodRecord, StoreRecord } from "../../rules/records.ts";
import type { Storage } from "../../storage/types.ts";

/** Holds what a checkout shows beside the session: it seldom changes. */
export interface Shop {
  /** Null means that there is no such store. */
  readonly store: StoreRecord | null;
  readonly methods: readonly PaymentMethodRecord[];
}

export interface ShopCache {
  /** Gives the shop as it was at most a second ago. */
  find(store_id: string): Promise<Shop>;
  /** Forgets a store that was changed in this process. */
  clear(store_id: string): void;
}

const maxAgeMs = 1_000;
const maxShops = 1_000;

/**
 * Creates the cache. Buyers reload the page of a checkout, and their browsers ask
 * for news: one read a second is enough for all of them. It is exact where the
 * storage tells of other processes' writes.
 */
export function createShopCache(storage: Storage, steadyNow: () => number): ShopCache {
  const shops = new Map<string, { readonly read: Promise<Shop>; readonly until: number }>();
  let version = storage.dataVersion?.() ?? 0;

  const read = async (store_id: string): Promise<Shop> => {
    const [store, methods] = await Promise.all([
      storage.access.findStore(store_id),
      storage.catalog.listPaymentMethods(store_id),
    ]);
    return { store, methods };
  };

  return {
    find(store_id) {
      const current = storage.dataVersion?.() ?? 0;
      if (current !== version || shops.size >= maxShops) shops.clear();
      version = current;

      const now = steadyNow();
      const known = shops.get(store_id);
      if (known && now < known.until) return known.read;

      // The reading itself is kept: a store that is changed meanwhile is read anew.
      const entry = { read: read(store_id), until: now + maxAgeMs };
      shops.set(store_id, entry);
      entry.read.catch(() => {
        if (shops.get(store_id) === entry) shops.delete(store_id);
      });
      return entry.read;
    },

    clear: (store_id) => void shops.delete(store_id),
  };
}
