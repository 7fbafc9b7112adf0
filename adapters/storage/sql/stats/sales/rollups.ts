import type { Partition } from "#core/rules/records.ts";
import { ofPartition, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";

/** How far the sales of a store and mode are counted: those paid from `counted_since` on. */
export interface SalesRollup {
  readonly counted_since: number;
  /** The end of the counted time, which is not in it. */
  readonly counted_until: number;
}

const rollupQuery = ({ db }: SqlEngine, partition: Partition) =>
  db
    .selectFrom("sales_rollups")
    .select(["counted_since", "counted_until"])
    .where(ofPartition(partition));

/** Reads how far the sales are counted. Null before the first count. */
export function* readSalesRollup(
  engine: SqlEngine,
  partition: Partition,
): QueryGenerator<SalesRollup | null> {
  return (yield* one(rollupQuery(engine, partition))) ?? null;
}

/** Locks the row of a store and mode, or creates it: then nothing before `bound` is counted. */
export function* lockSalesRollup(
  engine: SqlEngine,
  partition: Partition,
  bound: number,
): QueryGenerator<SalesRollup> {
  const first = { counted_since: bound, counted_until: bound };
  yield* many(
    engine.db
      .insertInto("sales_rollups")
      .values({ ...partitionColumns(partition), ...first, last_store: "" })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return (yield* one(engine.dialect.forUpdate(rollupQuery(engine, partition)))) ?? first;
}

export function* putSalesRollup(
  { db }: SqlEngine,
  partition: Partition,
  rollup: SalesRollup,
): QueryGenerator<void> {
  yield* many(db.updateTable("sales_rollups").set(rollup).where(ofPartition(partition)));
}

/** The row that stands for all stores. */
const allStores = { store_id: "", livemode: 0 } as const;

/** A walk of all stores, which takes place once for each hour. */
export interface Walk {
  /** The hour whose beginning bounds what this walk counts. */
  readonly bound: number;
  /** The walk goes on behind this store. Null once it has ended. */
  readonly last_store: string | null;
}

const ended = "~";

export function* readWalk({ db }: SqlEngine): QueryGenerator<Walk> {
  const row = yield* one(
    db
      .selectFrom("sales_rollups")
      .select(["counted_until", "last_store"])
      .where("store_id", "=", allStores.store_id)
      .where("livemode", "=", allStores.livemode),
  );
  if (!row) return { bound: 0, last_store: null };
  return { bound: row.counted_until, last_store: row.last_store === ended ? null : row.last_store };
}

/**
 * Stores the place of a walk. Another process may walk beside it: the last word counts, because
 * what is walked twice is counted once.
 */
export function* putWalk({ db }: SqlEngine, { bound, last_store }: Walk): QueryGenerator<void> {
  const place = { counted_until: bound, last_store: last_store ?? ended };
  yield* many(
    db
      .insertInto("sales_rollups")
      .values({ ...allStores, counted_since: 0, ...place })
      .onConflict((conflict) =>
        conflict
          .columns(["store_id", "livemode"])
          .doUpdateSet(place)
          .where("sales_rollups.counted_until", "<=", bound),
      ),
  );
}
