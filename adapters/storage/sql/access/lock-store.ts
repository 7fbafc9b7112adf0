import type { SqlEngine } from "../engine/engine.ts";

/** Makes the query that reads a store's row and locks it. */
export const lockStore = ({ db, dialect }: SqlEngine, id: string) =>
  dialect.forUpdate(db.selectFrom("stores").selectAll().where("id", "=", id));
