import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/** The row of `session_rollups` that stands for all stores. */
const allStores = { store_id: "", livemode: 0 } as const;

/** Gives the time up to which ended sessions are counted, or 0 before the first roll-up. */
export function* readLooked(db: Db): QueryGenerator<number> {
  const row = yield* one(lookedQuery(db));
  return row?.until ?? 0;
}

export const lookedQuery = (db: Db) =>
  db
    .selectFrom("session_rollups")
    .select("until")
    .where("store_id", "=", allStores.store_id)
    .where("livemode", "=", allStores.livemode);

/** Stores the time up to which all stores are rolled up. It never moves back. */
export function* moveLooked({ db }: SqlEngine, until: number): QueryGenerator<void> {
  yield* many(
    db
      .insertInto("session_rollups")
      .values({ ...allStores, until, first_id: "" })
      .onConflict((conflict) =>
        conflict
          .columns(["store_id", "livemode"])
          .doUpdateSet({ until })
          .where("session_rollups.until", "<", until),
      ),
  );
}

/**
 * Gives the end of the oldest sessions that may be deleted: those that are past
 * their time and counted.
 */
export function* countedBefore(db: Db, before: number): QueryGenerator<number> {
  return Math.min(before, yield* readLooked(db));
}
