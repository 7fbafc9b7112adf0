import type { PoolKey, TakenKey } from "../../rules/entitlements/entitlement-record.ts";
import { foundRecord } from "../../rules/owner/record-kinds.ts";
import type { Partition } from "../../rules/records.ts";
import { rowsOfStore } from "../catalog/catalog-rows.ts";
import type { StoredPoolKey } from "../catalog/catalog-state.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import type { RecordRows } from "./record-rows.ts";

type Keys = Map<string, StoredPoolKey>;

/** Gives the keys of a product in one mode. */
function keysOf({ catalog }: MemoryState, partition: Partition, product_id: string): Keys {
  const name = rowKey(partition, product_id);
  const keys = catalog.pools.get(name) ?? new Map<string, StoredPoolKey>();
  catalog.pools.set(name, keys);
  return keys;
}

const freeOf = (keys: Keys): readonly StoredPoolKey[] =>
  [...keys.values()].filter(({ entitlement_id }) => entitlement_id === null);

/** Keeps the keys that owners upload. */
export const poolRows = (state: MemoryState): RecordRows<"key_pool"> => ({
  load({ store_id, livemode = false, id, key_hashes = [] }) {
    const keys = keysOf(state, { store_id, livemode }, id);
    const known = key_hashes.filter((hash) => keys.has(hash));
    return foundRecord<"key_pool">({
      owner_exists: rowsOfStore(state.catalog.products, store_id).has(id),
      record: { store_id, livemode, id, free: freeOf(keys).length, known, added: [] },
    });
  },
  put(pool) {
    const keys = keysOf(state, pool, pool.id);
    for (const key of pool.added) keys.set(key.key_hash, { ...key, entitlement_id: null });
  },
});

/** Gives keys of a product that nobody has, at most `count`. */
export const findPoolKeys = (
  state: MemoryState,
  partition: Partition,
  product_id: string,
  count: number,
): readonly PoolKey[] => freeOf(keysOf(state, partition, product_id)).slice(0, count);

/** Gives a key of the pool to an entitlement, which holds the sealed key from then on. */
export function takePoolKey(
  state: MemoryState,
  partition: Partition,
  { product_id, key_hash, entitlement_id }: TakenKey,
): void {
  const keys = keysOf(state, partition, product_id);
  const key = keys.get(key_hash);
  if (key?.entitlement_id !== null) throw new Error("A key guard failed after its check.");
  keys.set(key_hash, { ...key, sealed_key: "", entitlement_id });
}
