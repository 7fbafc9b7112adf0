import { sha256 } from "../domain/hash.ts";
import type { AccessRecord } from "../rules/records.ts";
import type { Storage } from "../storage/types.ts";

export interface AccessCache {
  /** What an accepted key opened a moment ago. */
  recall(text: string): AccessRecord | undefined;
  /** Of a key whose shape is right. */
  find(text: string): Promise<AccessRecord | null>;
  clear(store_id: string): void;
}

const maxCached = 10_000;

/**
 * Known keys for at most `maxAgeMs`; unknown ones are never kept. Where the storage tells of other processes' writes the cache is exact. It is
 * asked by the key itself, which saves its hash, and emptied as a whole: no key stays in memory for longer than that.
 */
export function createAccessCache(
  storage: Storage,
  maxAgeMs: number,
  now: () => number,
): AccessCache {
  const cached = new Map<string, AccessRecord>();
  let until = 0;
  let version = storage.dataVersion?.() ?? 0;
  let clears = 0;
  let forgotten = 0;
  const cleared = new Map<string, number>();
  return {
    recall(text) {
      if (maxAgeMs === 0) return undefined;
      const current = storage.dataVersion?.() ?? 0;
      if (current !== version || until <= now()) {
        cached.clear();
        version = current;
      }
      return cached.get(text);
    },
    async find(text) {
      const hash = await sha256(text);
      const before = clears;
      const access = await storage.access.findAccess(hash);
      // What was read while the store was written may be of before: used this once, never kept.
      if (access && maxAgeMs > 0 && (cleared.get(access.store.id) ?? forgotten) <= before) {
        if (cached.size >= maxCached) cached.clear();
        if (cached.size === 0) until = now() + maxAgeMs;
        cached.set(text, access);
      }
      return access;
    },
    clear(store_id) {
      clears += 1;
      if (cleared.size >= maxCached) {
        cleared.clear();
        forgotten = clears;
      }
      cleared.set(store_id, clears);
      for (const [text, access] of cached) if (access.store.id === store_id) cached.delete(text);
    },
  };
}
