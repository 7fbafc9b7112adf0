import type { Db } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

/** Increases the store's catalog version, under the lock of the store's row. */
export function* bumpCatalogVersion(db: Db, store_id: string): QueryGenerator<void> {
  yield* many(
    db
      .updateTable("stores")
      .set((eb) => ({ catalog_version: eb("catalog_version", "+", 1) }))
      .where("id", "=", store_id),
  );
}
