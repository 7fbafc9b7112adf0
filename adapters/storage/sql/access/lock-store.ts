import type { Db, SqlEngine } from "../engine/engine.ts";

/** Makes the query that reads a store's row and locks it. */
export const lockStore = ({ db, dialect }: SqlEngine, id: string) =>
  dialect.forUpdate(storeById(db, id));

/**
 * Makes the query that reads a store's row and locks its catalog. Who changes products locks
 * their stock before. A sale in test mode keeps the clock, which stands in this row, before it
 * locks stock: it must pass, or the two would wait for each other.
 */
export const lockCatalog = ({ db, dialect }: SqlEngine, id: string) =>
  dialect.forNoKeyUpdate(storeById(db, id));

const storeById = (db: Db, id: string) => db.selectFrom("stores").selectAll().where("id", "=", id);
