import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import { indexRows, unindexedOrders } from "../back-office/index-orders.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import type { Lanes } from "./lanes/lanes.ts";

/**
 * Indexes orders. Citus cannot lock rows of several shards in one statement, so it
 * finds the stores by a read of all shards. Then one transaction for each store
 * indexes the orders of that store on its shard.
 */
export function indexOrdersOnCitus(
  engine: SqlEngine,
  lanes: Lanes,
): BackOfficeStore["indexOrders"] {
  const findStores = lanes.reader((db) => (limit: number) => unindexedStores(db, limit).compile());

  return async (limit) => {
    const { rows: stores } = await findStores(limit);

    let indexed = 0;
    for (const store of stores) {
      if (indexed >= limit) break;
      const left = limit - indexed;
      const { done } = await lanes.writeEach([store], () =>
        engine.write(() => indexStore(engine, store.store_id, left)),
      );
      indexed += done[0] ?? 0;
    }
    return indexed;
  };
}

/** Finds stores with orders to index. Each has one order at least, so `limit` stores are enough. */
const unindexedStores = (db: Db, limit: number) =>
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
