import type { KeyPool, PoolKey } from "../rules/entitlements/entitlement-record.ts";
import { decideFilling, type Filling, type FillingResult } from "../rules/entitlements/key-pool.ts";
import type { Partition } from "../rules/records.ts";
import type { RecordStore, RecordSubject } from "../storage/record-store.ts";
import type { StepStore } from "../storage/step-store.ts";
import { history, runStep } from "./run-step.ts";

/** A key to upload, with all hashes under which the pool may know it. */
export interface UploadedKey extends PoolKey {
  readonly hashes: readonly string[];
}

/** Names the pool of a product in one mode. */
export interface PoolName extends Partition {
  readonly product_id: string;
}

/** What became of an upload. */
export type UploadResult =
  | { readonly outcome: "unknown_product" }
  | { readonly outcome: "uploaded"; readonly added: number; readonly free: number };

const poolOf = (
  step: string,
  { store_id, livemode, product_id: id }: PoolName,
): Omit<RecordSubject<"key_pool">, "may"> => ({ on: "key_pool", step, store_id, livemode, id });

/** Adds the keys that the pool neither has nor has given, so that a repeat adds none. */
export const uploadKeys = (
  records: RecordStore,
  name: PoolName,
  keys: readonly UploadedKey[],
): Promise<UploadResult> => {
  const key_hashes = keys.flatMap(({ hashes }) => hashes);
  return records.step<"key_pool", UploadResult>(
    { ...poolOf("uploadKeys", name), may: "make", key_hashes },
    ({ owner_exists, record: pool }) => {
      if (!owner_exists || !pool) return { result: { outcome: "unknown_product" } };

      const known = new Set(pool.known);
      const added = keys
        .filter(({ hashes }) => !hashes.some((hash) => known.has(hash)))
        .map(({ hashes: _hashes, ...key }) => key);
      const free = pool.free + added.length;
      const result = { outcome: "uploaded", added: added.length, free } as const;
      return added.length === 0 ? { result } : { result, after: { ...pool, free, added } };
    },
  );
};

/** Reads a pool. Gives null for an unknown product. */
export const readPool = (records: RecordStore, name: PoolName): Promise<KeyPool | null> =>
  records.step<"key_pool", KeyPool | null>(
    { ...poolOf("readPool", name), may: "change" },
    ({ owner_exists, record }) => ({ result: owner_exists ? record : null }),
  );

/** Gives an order the keys that it waits for, as many as there are. */
export const fillOrder = (steps: StepStore, command: Filling): Promise<FillingResult> =>
  runStep(steps, { ...history("fillOrder", command), fills: true }, command, decideFilling);
