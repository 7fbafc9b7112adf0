import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { chunks } from "../catalog/owner/chunks.ts";
import { lockPool } from "../catalog/stock/key-pools.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import type { RecordRows } from "./record-rows.ts";

/**
 * Keeps the keys that owners upload. A step that adds some locks the pool, so that a payment
 * beside it either finds them or waits in time for the orders that get them.
 */
export const poolRows = (engine: SqlEngine): RecordRows<"key_pool"> => ({
  *load({ store_id, livemode: mode = false, id, may, key_hashes = [] }) {
    const { db } = engine;
    const partition = { store_id, livemode: mode };
    const name = { ...partitionColumns(partition), product_id: id };
    const products = db.selectFrom("products").select("id").where("store_id", "=", store_id);
    const owner_exists = (yield* one(products.where("id", "=", id))) !== undefined;
    if (!owner_exists) return foundRecord<"key_pool">({ owner_exists, record: null });

    const pools = db.selectFrom("key_pools").select("free");
    const free =
      may === "make"
        ? yield* lockPool(engine, partition, id)
        : Number((yield* one(pools.where((eb) => eb.and(name))))?.free ?? 0);

    const known: string[] = [];
    for (const hashes of chunks(key_hashes)) {
      const keys = db.selectFrom("pool_keys").select("key_hash");
      const found = keys.where((eb) => eb.and(name)).where("key_hash", "in", hashes);
      for (const { key_hash } of yield* many(found)) known.push(key_hash);
    }
    const record = { ...partition, id, free, known, added: [] };
    return foundRecord<"key_pool">({ owner_exists, record });
  },
  *put({ id: product_id, free, added, ...pool }) {
    const { db } = engine;
    const name = { ...partitionColumns(pool), product_id };
    for (const keys of chunks(added))
      yield* many(
        db
          .insertInto("pool_keys")
          .values(keys.map((key) => ({ ...name, ...key, entitlement_id: null }))),
      );
    yield* many(
      db
        .updateTable("key_pools")
        .set({ free })
        .where((eb) => eb.and(name)),
    );
    return true;
  },
});
