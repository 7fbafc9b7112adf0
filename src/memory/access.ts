import type { AccessRecord, AlertRecord, KeyRecord, StoreRecord } from "../rules/records.ts";
import type { AccessStore, AddressKind } from "../storage/types.ts";
import type { MemoryState } from "./state.ts";

export interface AccessState {
  readonly stores: Map<string, StoreRecord>;
  /** By hash. */
  readonly keys: Map<string, KeyRecord>;
  readonly addresses: Readonly<Record<AddressKind, Map<string, readonly string[]>>>;
  readonly alerts: AlertRecord[];
}

export const createAccessState = (): AccessState => ({
  stores: new Map(),
  keys: new Map(),
  addresses: { origin: new Map(), return_url: new Map() },
  alerts: [],
});

// No `await` before the last write of a method: that is what makes it atomic.
export function memoryAccess(state: MemoryState): AccessStore {
  const { stores, keys, addresses, alerts } = state.access;
  const keysOf = (store_id: string): KeyRecord[] =>
    [...keys.values()].filter((key) => key.store_id === store_id);

  return {
    async findAccess(key_hash): Promise<AccessRecord | null> {
      const key = keys.get(key_hash);
      const store = key && stores.get(key.store_id);
      if (!key || !store) return null;
      return {
        key,
        store,
        origins: addresses.origin.get(store.id) ?? [],
        return_urls: addresses.return_url.get(store.id) ?? [],
      };
    },
    async createStore(store) {
      const same = stores.get(store.id);
      if (same) return { outcome: "created", store: same };
      if ([...stores.values()].some((other) => other.slug === store.slug))
        return { outcome: "slug_taken" };
      stores.set(store.id, store);
      return { outcome: "created", store };
    },
    async updateStore(id, changes) {
      const store = stores.get(id);
      if (!store) return null;
      const updated = { ...store, ...changes, catalog_version: store.catalog_version + 1 };
      stores.set(id, updated);
      return updated;
    },
    findStore: async (id) => stores.get(id) ?? null,
    listStores: async ({ after, limit }) =>
      [...stores.values()]
        .filter((store) => after === null || store.id > after)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    async createKey(key) {
      if (!stores.has(key.store_id)) return { outcome: "unknown_store" };
      if (!keys.has(key.key_hash)) keys.set(key.key_hash, key);
      return { outcome: "created" };
    },
    async revokeKey(store_id, key_id, now) {
      const key = keysOf(store_id).find((candidate) => candidate.id === key_id);
      if (!key) return null;
      const revoked = { ...key, revoked_at: key.revoked_at ?? now };
      keys.set(key.key_hash, revoked);
      return revoked;
    },
    listKeys: async (store_id) => keysOf(store_id).sort((a, b) => (a.id < b.id ? -1 : 1)),
    async addAddress(kind, store_id, value, _now, max) {
      if (!stores.has(store_id)) return { outcome: "unknown_store" };
      const known = addresses[kind].get(store_id) ?? [];
      if (known.includes(value)) return { outcome: "added" };
      if (known.length >= max) return { outcome: "limit" };
      addresses[kind].set(store_id, [...known, value]);
      return { outcome: "added" };
    },
    async removeAddress(kind, store_id, value) {
      const known = addresses[kind].get(store_id) ?? [];
      addresses[kind].set(
        store_id,
        known.filter((other) => other !== value),
      );
      return known.includes(value);
    },
    listAddresses: async (kind, store_id) => addresses[kind].get(store_id) ?? [],
    async raiseAlert(alert, unless_since) {
      return { raised: addAlert(state, alert, unless_since) };
    },
    listAlerts: async (store_id, { before, limit }) =>
      alerts
        .filter((alert) => alert.store_id === store_id && (before === null || alert.id < before))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
  };
}

/** False when another alert of the same store, mode, type and subject was stored at or after `unless_since`. Repeated, it gives the first answer. */
export function addAlert(state: MemoryState, alert: AlertRecord, unless_since: number): boolean {
  const { alerts } = state.access;
  const own = alerts.filter(
    (other) => other.store_id === alert.store_id && other.livemode === alert.livemode,
  );
  if (own.some((other) => other.id === alert.id)) return true;
  const known = own.some(
    (other) =>
      other.type === alert.type &&
      other.subject === alert.subject &&
      other.created_at >= unless_since,
  );
  if (!known) alerts.push(alert);
  return !known;
}
