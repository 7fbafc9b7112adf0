import { sha256 } from "../../domain/keys/hash.ts";
import type { AccessRecord } from "../../rules/records.ts";
import type { Storage } from "../../storage/types.ts";

export interface AccessCache {
  /** Gives the access of a key that was read from the storage a moment ago. */
  recall(key: string): AccessRecord | undefined;
  /** Reads the access of a key whose form is right from the storage. */
  find(key: string): Promise<AccessRecord | null>;
  /** Forgets the keys of a store. */
  clear(store_id: string): void;
}

const maxEntries = 10_000;

/**
 * Remembers known keys for at most `maxAgeMs`, and unknown ones never. It is exact
 * where the storage tells of other processes' writes.
 *
 * Each entry is stored under the key itself, which saves a hash at each request.
 * The whole cache is emptied when its oldest entry is too old, so that no key stays
 * in memory for longer than that.
 */
export function createAccessCache(
  storage: Storage,
  maxAgeMs: number,
  steadyNow: () => number,
): AccessCache {
  const cached = new Map<string, AccessRecord>();
  let emptyAt = 0;
  let version = storage.dataVersion?.() ?? 0;
  const clears = createClearLog();

  return {
    recall(key) {
      if (maxAgeMs === 0) return undefined;

      const current = storage.dataVersion?.() ?? 0;
      if (current !== version || emptyAt <= steadyNow()) {
        cached.clear();
        version = current;
      }
      return cached.get(key);
    },

    async find(key) {
      const hash = await sha256(key);
      const before = clears.count();
      const access = await storage.access.findAccess(hash);
      if (!access || maxAgeMs === 0) return access;

      // The store may have been written while it was read. The record may then be the one from
      // before the write: it answers this request and is not cached.
      if (clears.lastOf(access.store.id) > before) return access;

      if (cached.size >= maxEntries) cached.clear();
      if (cached.size === 0) emptyAt = steadyNow() + maxAgeMs;
      cached.set(key, access);
      return access;
    },

    clear(store_id) {
      clears.add(store_id);
      for (const [key, access] of cached) if (access.store.id === store_id) cached.delete(key);
    },
  };
}

/** Numbers the clears and knows the last number of each store. */
function createClearLog() {
  let count = 0;
  /**
   * The number of the last clear that was dropped. A store without an entry
   * may have had it.
   */
  let dropped = 0;
  const last = new Map<string, number>();

  return {
    count: () => count,
    lastOf: (store_id: string): number => last.get(store_id) ?? dropped,
    add(store_id: string): void {
      count += 1;
      if (last.size >= maxEntries) {
        last.clear();
        dropped = count;
      }
      last.set(store_id, count);
    },
  };
}
