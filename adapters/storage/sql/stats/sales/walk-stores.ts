import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { findPayment } from "./paid-orders.ts";
import { type Bounds, planSales, salesBound, salesCounter } from "./roll-up-sales.ts";
import { putWalk, readSalesRollup, readWalk } from "./rollups.ts";

/** The number of orders in a transaction, for each store that a call may walk. */
const ordersPerStore = 20;

/**
 * Counts the sales of past hours. Once an hour it walks all stores, at most `limit` of them in a
 * call that counts nothing. A store with many orders is not left before all are counted, some in
 * each transaction. Each store keeps the time until which it is counted: a process goes on where
 * another one ended, and nothing is counted twice.
 */
export function salesWalk(engine: SqlEngine) {
  const countSales = salesCounter(engine);

  /** Most stores have sold nothing since: they are read, and not written. */
  const countStore = async (store_id: string, bounds: Bounds): Promise<number> => {
    let counted = 0;
    for (const livemode of [true, false]) {
      const partition = { store_id, livemode };
      const hasMore = await engine.read(function* () {
        const rollup = yield* readSalesRollup(engine, partition);
        if (rollup) return (yield* planSales(engine, partition, rollup, bounds)) !== null;
        const span = { from: 0, to: bounds.bound };
        return (yield* findPayment(engine, partition, span, { end: "last" })) !== null;
      });
      if (hasMore) counted += await engine.write(() => countSales(partition, bounds));
    }
    return counted;
  };

  return async (now: number, limit: number): Promise<number> => {
    const bound = salesBound(now);
    const bounds = { bound, atOnce: limit * ordersPerStore };
    for (;;) {
      const walk = await engine.read(() => readWalk(engine));
      if (walk.bound >= bound && walk.last_store === null) return 0;

      const isNew = walk.bound < bound && walk.last_store === null;
      const after = isNew ? "" : (walk.last_store ?? "");
      const ids = await engine.read(() => storesAfter(engine, after, limit));
      for (const store_id of ids) {
        // A store whose node is lost is left to the next walk, so that the others have their turn.
        const pass = () => engine.write(() => putWalk(engine, { bound, last_store: store_id }));
        const counted = await countStore(store_id, bounds).catch(async (error: unknown) => {
          await pass();
          throw error;
        });
        if (counted > 0) return counted;
      }
      const last_store = ids.length < limit ? null : (ids.at(-1) ?? null);
      await engine.write(() => putWalk(engine, { bound, last_store }));
    }
  };
}

function* storesAfter(
  { db }: SqlEngine,
  after: string,
  limit: number,
): QueryGenerator<readonly string[]> {
  const rows = yield* many(
    db.selectFrom("stores").select("id").where("id", ">", after).orderBy("id").limit(limit),
  );
  return rows.map(({ id }) => id);
}
