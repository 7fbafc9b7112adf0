import { sql } from "kysely";
import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import { indexRows, unindexedOrders } from "../back-office/index-orders.ts";
import { placeProducts } from "../catalog/owner/misplaced-products.ts";
import { fillProductFacets } from "../catalog/owner/product-facets.ts";
import { fillProductWords } from "../catalog/owner/product-words.ts";
import { fillProductPlaces } from "../catalog/product-places.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { isMisplaced } from "../schema/migrations/0021-0030/0030-group-places.ts";
import { isUncounted } from "../schema/migrations/0031-0040/0033-product-facets.ts";
import type { Lanes } from "./lanes/lanes.ts";

/**
 * Indexes orders. Citus cannot lock rows of several shards in one statement, so it
 * finds the stores by a read of all shards. Then one transaction for each store
 * indexes the orders of that store on its shard.
 */
export const indexOrdersOnCitus = (
  engine: SqlEngine,
  lanes: Lanes,
): BackOfficeStore["indexOrders"] =>
  indexStores(lanes, lacking("orders", "created_at"), (store_id, limit) =>
    engine.write(() => indexStore(engine, store_id, limit)),
  );

/** Indexes what a version before wrote of products, like `indexOrdersOnCitus`. */
export function indexProductsOnCitus(
  engine: SqlEngine,
  lanes: Lanes,
): BackOfficeStore["indexProducts"] {
  const places = indexStores(lanes, lacking("product_categories", "price"), (store_id, limit) =>
    engine.write(() => fillProductPlaces(engine, limit, store_id)),
  );
  const words = indexStores(lanes, lacking("products", "words"), (store_id, limit) =>
    engine.write(() => fillProductWords(engine, limit, store_id)),
  );
  const misplaced = { table: "products", condition: isMisplaced("postgres") } as const;
  const groups = indexStores(lanes, misplaced, (store_id, limit) =>
    engine.write(() => placeProducts(engine, limit, store_id)),
  );
  const uncounted = { table: "products", condition: isUncounted("postgres") } as const;
  const facets = indexStores(lanes, uncounted, (store_id, limit) =>
    engine.write(() => fillProductFacets(engine, limit, store_id)),
  );
  return async (limit) =>
    (await places(limit)) + (await words(limit)) + (await groups(limit)) + (await facets(limit));
}

/** Names rows to index by a condition that an index of their table has. */
interface Unindexed {
  readonly table: "orders" | "product_categories" | "products";
  readonly condition: string;
}

/** Names the rows whose column is null. */
const lacking = (table: Unindexed["table"], column: string): Unindexed => ({
  table,
  condition: `${column} is null`,
});

/** Indexes one store after the other, and at most `limit` rows of them all. */
function indexStores(
  lanes: Lanes,
  unindexed: Unindexed,
  index: (store_id: string, limit: number) => Promise<number>,
): (limit: number) => Promise<number> {
  const findStores = lanes.reader(
    (db) => (limit: number) => unindexedStores(db, unindexed, limit).compile(),
  );

  return async (limit) => {
    const { rows: stores } = await findStores(limit);

    let indexed = 0;
    for (const store of stores) {
      if (indexed >= limit) break;
      const left = limit - indexed;
      const { done } = await lanes.writeEach([store], () => index(store.store_id, left));
      indexed += done[0] ?? 0;
    }
    return indexed;
  };
}

/** Finds stores with rows to index. Each has one at least, so `limit` stores are enough. */
const unindexedStores = (db: Db, { table, condition }: Unindexed, limit: number) =>
  db
    .selectFrom(table)
    .select(`${table}.store_id`)
    .where(sql<boolean>`${sql.raw(condition)}`)
    .groupBy(`${table}.store_id`)
    .limit(limit);

function* indexStore(engine: SqlEngine, store_id: string, limit: number): QueryGenerator<number> {
  const ofStore = unindexedOrders(engine, limit).where("store_id", "=", store_id);
  const rows = yield* many(engine.dialect.skipLocked(ofStore));
  return yield* indexRows(engine, rows);
}
