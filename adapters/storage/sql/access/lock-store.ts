import type { Db, SqlEngine } from "../engine/engine.ts";

/** Makes the query that reads a store's row and locks it. */
export const lockStore = ({ db, dialect }: SqlEngine, id: string) =>
  dialect.forUpdate(storeById(db, id));

/**
 * Makes the query that reads a store's row and locks it against other changes of the catalog.
 * A change of products locks stock before this row. A sale in test mode locks stock after it,
 * because the row holds the clock: the two would wait for each other if the sale did not pass.
 */
export const lockCatalog = ({ db, dialect }: SqlEngine, id: string) =>
  dialect.forNoKeyUpdate(storeById(db, id));

const storeById = (db: Db, id: string) => db.selectFrom("stores").selectAll().where("id", "=", id);
