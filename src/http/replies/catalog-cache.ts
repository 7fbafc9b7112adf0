import type { OperationResult } from "../../operations/operation.ts";

/** A result beside its ETag, so that a hit computes no hash. */
interface CacheEntry {
  readonly tag: string;
  readonly result: OperationResult;
}

export interface CatalogCache {
  get(name: string): CacheEntry | undefined;
  set(name: string, entry: CacheEntry): void;
}

/** An entry takes this much memory besides its text, in bytes. */
const entryOverhead = 250;

/**
 * Keeps at most `maxBytes` of results, counted as UTF-16. With 0 it keeps none. A
 * name holds the catalog version, so an entry never becomes stale.
 *
 * Entries are in two generations. When the young one is full it becomes the old
 * one, and the former old one is dropped. A hit in the old generation moves its
 * entry back to the young one. A hit in the young one moves nothing, which keeps
 * hits cheap and lets the strings of a request be freed soon.
 */
export function createCatalogCache(maxBytes: number): CatalogCache {
  let young = new Map<string, CacheEntry>();
  let old = new Map<string, CacheEntry>();
  let youngBytes = 0;

  const add = (name: string, entry: CacheEntry, size: number): void => {
    if (youngBytes + size > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(name, entry);
    youngBytes += size;
  };

  return {
    get(name) {
      const entry = young.get(name);
      if (entry) return entry;

      const aged = old.get(name);
      if (aged) {
        old.delete(name);
        add(name, aged, sizeOf(name, aged));
      }
      return aged;
    },

    set(name, entry) {
      const size = sizeOf(name, entry);
      if (size <= maxBytes / 8 && !young.has(name)) add(name, entry, size);
    },
  };
}

const sizeOf = (name: string, { result }: CacheEntry): number =>
  2 * (name.length + result.data.length) + entryOverhead;
