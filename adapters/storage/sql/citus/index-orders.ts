import type { BackOfficeStore } from "../../../../src/storage/back-office-store.ts";
import { indexRows, unindexedOrders } from "../back-office/index-orders.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

/**
 * Citus locks no rows of several shards: a read of all of them finds the stores, and one
 * transaction for each indexes its orders on its own shard.
 */
export const indexOrdersOnCitus =
  (engine: SqlEngine): BackOfficeStore["indexOrders"] =>
  async (limit) => {
    const stores = await engine.read(() => many(unindexedStores(engine, limit)));

    let indexed = 0;
    for (const { store_id } of stores) {
      if (indexed >= limit) break;
      indexed += await engine.write(() => indexStore(engine, store_id, limit - indexed));
    }
    return indexed;
  };

/** Each of the stores has an order at least, so that `limit` of them are enough. */
const unindexedStores = ({ db }: SqlEngine, limit: number) =>
  db
    .selectFrom("orders")
    .select("store_id")
    .where("created_at", "is", null)
    .groupBy("store_id")
    .limit(limit);

function* indexStore(engine: SqlEngine, store_id: string, limit: number): QueryGenerator<number> {
  const ofStore = unindexedOrders(engine, limit).where("store_id", "=", store_id);
  const rows = yield* many(engine.dialect.skipLocked(ofStore));
  return yield* indexRows(engine, rows);
}
