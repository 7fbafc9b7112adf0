import { addressAdded, addressRemoved, storeChanged } from "../../rules/audit/audit-changes.ts";
import { isStoreStale } from "../../rules/catalog/catalog-writes.ts";
import { addAddress } from "../../rules/owner/address-list.ts";
import { isNewUse, type StoredKey } from "../../rules/owner/key-use.ts";
import type { KeyRecord, StoreRecord } from "../../rules/records.ts";
import type { AccessStore } from "../../storage/types.ts";
import { compareIds, pageById } from "../sort.ts";
import type { MemoryState } from "../state.ts";
import { memoryAlerts } from "./alerts.ts";
import { noteChange } from "./note-change.ts";

type Stores = Pick<
  AccessStore,
  "createStore" | "updateStore" | "findStore" | "findStoreBySlug" | "listStores"
>;
type Keys = Pick<
  AccessStore,
  "findAccess" | "createKey" | "revokeKey" | "listKeys" | "noteKeyUses"
>;
type Addresses = Pick<AccessStore, "addAddress" | "removeAddress" | "listAddresses">;

export const memoryAccess = (state: MemoryState): AccessStore => ({
  ...memoryStores(state),
  ...memoryKeys(state),
  ...memoryAddresses(state),
  ...memoryAlerts(state),
});

function memoryStores(state: MemoryState): Stores {
  const { stores } = state.access;
  const findBySlug = (slug: string): StoreRecord | null =>
    [...stores.values()].find((store) => store.slug === slug) ?? null;

  return {
    async createStore(store) {
      const known = stores.get(store.id);
      if (known) return { outcome: "created", store: known };
      if (findBySlug(store.slug)) return { outcome: "slug_taken" };

      stores.set(store.id, store);
      noteChange(state, storeChanged(null, store));
      return { outcome: "created", store };
    },

    async updateStore(id, changes, before) {
      const store = stores.get(id);
      if (!store) return null;
      if (isStoreStale(store, before)) return "stale";

      const updated = { ...store, ...changes, catalog_version: store.catalog_version + 1 };
      stores.set(id, updated);
      noteChange(state, storeChanged(store, updated));
      return updated;
    },

    findStore: async (id) => stores.get(id) ?? null,
    findStoreBySlug: async (slug) => findBySlug(slug),
    listStores: async (page) => pageById(stores.values(), page),
  };
}

function memoryKeys(state: MemoryState): Keys {
  const { stores, keys, keyUses, addresses } = state.access;
  const keysOf = (store_id: string): KeyRecord[] =>
    [...keys.values()].filter((key) => key.store_id === store_id);
  const withUse = (key: KeyRecord): StoredKey => ({
    ...key,
    last_used_at: keyUses.get(key.key_hash) ?? null,
  });

  return {
    async findAccess(key_hash) {
      const key = keys.get(key_hash);
      const store = key && stores.get(key.store_id);
      if (!key || !store) return null;

      const origins = addresses.origin.get(store.id) ?? [];
      const return_urls = addresses.return_url.get(store.id) ?? [];
      return { key, store, origins, return_urls };
    },

    async createKey(key) {
      if (!stores.has(key.store_id)) return { outcome: "unknown_store" };
      if (keys.has(key.key_hash)) return { outcome: "created" };

      keys.set(key.key_hash, key);
      noteChange(state, { kind: "record", type: "api_key", before: null, after: key });
      return { outcome: "created" };
    },

    async revokeKey(store_id, key_id, now) {
      const key = keysOf(store_id).find((candidate) => candidate.id === key_id);
      if (!key) return null;

      const revoked = { ...key, revoked_at: key.revoked_at ?? now };
      keys.set(key.key_hash, revoked);
      noteChange(state, { kind: "record", type: "api_key", before: key, after: revoked });
      return withUse(revoked);
    },

    listKeys: async (store_id) => keysOf(store_id).sort(compareIds).map(withUse),

    async noteKeyUses(uses) {
      for (const { key_hash, used_at } of uses) {
        const isValid = keys.get(key_hash)?.revoked_at === null;
        if (isValid && isNewUse(used_at, keyUses.get(key_hash))) keyUses.set(key_hash, used_at);
      }
    },
  };
}

function memoryAddresses(state: MemoryState): Addresses {
  const { stores, addresses } = state.access;

  return {
    async addAddress(kind, store_id, value, max) {
      if (!stores.has(store_id)) return { outcome: "unknown_store" };

      const listed = addresses[kind].get(store_id) ?? [];
      const addition = addAddress(listed, value, max);
      if (addition.outcome === "limit") return { outcome: "limit" };

      const isNew = addition.addresses !== listed;
      addresses[kind].set(store_id, addition.addresses);
      if (isNew) noteChange(state, addressAdded({ kind, store_id, address: value }));
      return { outcome: "added" };
    },

    async removeAddress(kind, store_id, value) {
      const listed = addresses[kind].get(store_id) ?? [];
      const rest = listed.filter((other) => other !== value);
      if (rest.length === listed.length) return false;

      addresses[kind].set(store_id, rest);
      noteChange(state, addressRemoved({ kind, store_id, address: value }));
      return true;
    },

    listAddresses: async (kind, store_id) => addresses[kind].get(store_id) ?? [],
  };
}
