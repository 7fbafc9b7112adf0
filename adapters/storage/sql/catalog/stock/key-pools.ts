import type { PoolKey, TakenKey } from "#core/rules/entitlements/entitlement-record.ts";
import type { Partition } from "#core/rules/records.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";
import { GuardFailed } from "./guard-failed.ts";

/** Locks the pool of a product, making it where there is none. Gives how many keys are left. */
export function* lockPool(
  { db, dialect }: SqlEngine,
  partition: Partition,
  product_id: string,
): QueryGenerator<number> {
  const name = { ...partitionColumns(partition), product_id };
  const pools = db.selectFrom("key_pools").select("free");
  const lock = dialect.forUpdate(pools.where((eb) => eb.and(name)));
  const known = yield* one(lock);
  if (known) return Number(known.free);

  yield* many(
    db
      .insertInto("key_pools")
      .values({ ...name, free: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return Number((yield* one(lock))?.free ?? 0);
}

/** Locks the pools that a step may take keys of, by the product, and gives so many keys of each. */
export function* lockPools(
  engine: SqlEngine,
  partition: Partition,
  wanted: ReadonlyMap<string, number>,
): QueryGenerator<ReadonlyMap<string, readonly PoolKey[]>> {
  const pools = new Map<string, readonly PoolKey[]>();
  for (const [product_id, count] of wanted) {
    const free = yield* lockPool(engine, partition, product_id);
    const keys = free === 0 ? [] : yield* freeKeys(engine, { ...partition, product_id }, count);
    pools.set(product_id, keys);
  }
  return pools;
}

function* freeKeys(
  { db }: SqlEngine,
  { product_id, ...partition }: Partition & { readonly product_id: string },
  count: number,
): QueryGenerator<readonly PoolKey[]> {
  const name = { ...partitionColumns(partition), product_id };
  const rows = yield* many(
    db
      .selectFrom("pool_keys")
      .select(["id", "key_hash", "sealed_key", "last4"])
      .where((eb) => eb.and(name))
      .where("entitlement_id", "is", null)
      .orderBy("id")
      .limit(count),
  );
  return rows.map(({ sealed_key, ...key }) => ({ ...key, sealed_key: sealed_key ?? "" }));
}

/** Gives keys of locked pools away. The sealed key goes on with its entitlement. */
export function* takePoolKeys(
  { db }: SqlEngine,
  partition: Partition,
  taken: readonly TakenKey[],
): QueryGenerator<void> {
  for (const { product_id, key_hash, entitlement_id } of taken) {
    const name = { ...partitionColumns(partition), product_id };
    const given = db
      .updateTable("pool_keys")
      .set({ entitlement_id, sealed_key: null })
      .where((eb) => eb.and({ ...name, key_hash }))
      .where("entitlement_id", "is", null)
      .returning("id");
    if (!(yield* one(given))) throw new GuardFailed("license key");

    yield* many(
      db
        .updateTable("key_pools")
        .set((eb) => ({ free: eb("free", "-", 1) }))
        .where((eb) => eb.and(name)),
    );
  }
}
