import { sql } from "kysely";
import type { ProductRecord } from "#core/rules/records.ts";
import { lockCatalog } from "../../access/lock-store.ts";
import { fromJson } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";
import { isMisplaced } from "../../schema/migrations/0021-0030/0030-group-places.ts";
import { bumpCatalogVersion } from "../catalog-version.ts";
import { lockStocks, writeProducts } from "./product-rows.ts";

/** The most products that are placed in one transaction. */
const mostPlaced = 100;

/** Finds products of groups that an older version wrote, or that nobody has placed yet. */
export const misplacedProducts = ({ db, dialect }: SqlEngine) =>
  db.selectFrom("products").where(sql<boolean>`${sql.raw(isMisplaced(dialect.name))}`);

/**
 * Writes anew at most `limit` products that a version without groups has written, of one store:
 * what they are found by, and which product stands for each of their groups. Gives how many there
 * were.
 */
export function* placeProducts(
  engine: SqlEngine,
  limit: number,
  store_id?: string,
): QueryGenerator<number> {
  const { db } = engine;
  const misplaced = misplacedProducts(engine);
  const store = store_id ?? (yield* one(misplaced.select("store_id").limit(1)))?.store_id;
  if (store === undefined) return 0;

  const ofStore = misplaced.where("store_id", "=", store);
  const most = sql.lit(Math.min(limit, mostPlaced));
  const found = yield* many(ofStore.select("id").orderBy("id").limit(most));
  if (found.length === 0) return 0;

  // In the order of a change of products. Another process may have placed them meanwhile.
  const ids = found.map(({ id }) => id);
  yield* lockStocks(engine, store, ids);
  yield* many(lockCatalog(engine, store));
  const rows = yield* many(ofStore.select("record").where("id", "in", ids));
  const products = rows.map(({ record }) => fromJson<ProductRecord>(record));
  if (products.length === 0) return 0;

  yield* writeProducts(engine, store, products);
  yield* bumpCatalogVersion(db, store);
  return products.length;
}
