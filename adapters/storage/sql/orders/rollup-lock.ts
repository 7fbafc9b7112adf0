import type { Partition } from "#core/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/** How far the sessions of a store and mode are counted. */
export interface Rollup {
  /** Sessions that were created before this time are counted. */
  readonly until: number;
  /** Sessions that are not counted yet have this id or a greater one. */
  readonly first_id: string;
}

const nothing: Rollup = { until: 0, first_id: "" };

const rollupQuery = ({ db }: SqlEngine, partition: Partition) => {
  const { store_id, livemode } = partitionColumns(partition);
  return db
    .selectFrom("session_rollups")
    .select(["until", "first_id"])
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode);
};

/** Reads how far the sessions are counted. Another process may count further at any time. */
export function* readRollup(engine: SqlEngine, partition: Partition): QueryGenerator<Rollup> {
  return (yield* one(rollupQuery(engine, partition))) ?? nothing;
}

/** Locks the row that holds the time of the roll-up of a store and mode, or creates the row. */
export function* lockRollup(engine: SqlEngine, partition: Partition): QueryGenerator<Rollup> {
  yield* many(
    engine.db
      .insertInto("session_rollups")
      .values({ ...partitionColumns(partition), ...nothing })
      .onConflict((conflict) => conflict.doNothing()),
  );

  return (yield* one(engine.dialect.forUpdate(rollupQuery(engine, partition)))) ?? nothing;
}
