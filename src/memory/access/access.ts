import { compareIds, pageById } from "../../domain/sort.ts";
import { isNewUse, type StoredKey } from "../../rules/owner/key-use.ts";
import type { KeyRecord } from "../../rules/records.ts";
import type { AccessStore } from "../../storage/types.ts";
import type { MemoryState } from "../state.ts";
import { memoryAlerts } from "./alerts.ts";

export function memoryAccess(state: MemoryState): AccessStore {
  const { stores, keys, keyUses, addresses } = state.access;

  return {
    ...memoryAlerts(state),

    async findAccess(key_hash) {
      const key = keys.get(key_hash);
      const store = key && stores.get(key.store_id);
      if (!key || !store) return null;

      const origins = addresses.origin.get(store.id) ?? [];
      const return_urls = addresses.return_url.get(store.id) ?? [];
      return { key, store, origins, return_urls };
    },

    findStore: async (value, by = "id") =>
      by === "id"
        ? (stores.get(value) ?? null)
        : ([...stores.values()].find(({ slug }) => slug === value) ?? null),
    listStores: async (page) => pageById(stores.values(), page),
    listAddresses: async (kind, store_id) => addresses[kind].get(store_id) ?? [],

    listKeys: async (store_id) =>
      keysOf(state, store_id)
        .sort(compareIds)
        .map((key) => withUse(state, key)),

    async noteKeyUses(uses) {
      for (const { key_hash, used_at } of uses) {
        const isValid = keys.get(key_hash)?.revoked_at === null;
        if (isValid && isNewUse(used_at, keyUses.get(key_hash))) keyUses.set(key_hash, used_at);
      }
    },
  };
}

export const keysOf = ({ access }: MemoryState, store_id: string): KeyRecord[] =>
  [...access.keys.values()].filter((key) => key.store_id === store_id);

/** Gives a key with the time of its last use. */
export const withUse = ({ access }: MemoryState, key: KeyRecord): StoredKey => ({
  ...key,
  last_used_at: access.keyUses.get(key.key_hash) ?? null,
});
