import type { Db } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/**
 * Increases the store's catalog version. This takes the lock of the store's row, so
 * that owner writes of one store come one after the other. It gives false for an
 * unknown store.
 */
export function* bumpCatalogVersion(db: Db, store_id: string): QueryGenerator<boolean> {
  const store = yield* one(
    db
      .updateTable("stores")
      .set((eb) => ({ catalog_version: eb("catalog_version", "+", 1) }))
      .where("id", "=", store_id)
      .returning("id"),
  );
  return store !== undefined;
}

/**
 * Takes the increase back after a refused write, in the transaction that made it:
 * nobody has seen the new version.
 */
export function* restoreCatalogVersion(db: Db, store_id: string): QueryGenerator<void> {
  yield* many(
    db
      .updateTable("stores")
      .set((eb) => ({ catalog_version: eb("catalog_version", "-", 1) }))
      .where("id", "=", store_id),
  );
}
