import { maxOpenHolds } from "#core/rules/checkout/session-hold.ts";
import type { OpenHoldChange } from "#core/rules/orders/order-changes.ts";
import type { Partition } from "#core/rules/records.ts";
import { GuardFailed } from "../catalog/stock/guard-failed.ts";
import { ofPartition, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/** Counts the open holds of the address. */
export function* findOpenHolds(
  { db }: SqlEngine,
  partition: Partition,
  address: string,
): QueryGenerator<number> {
  const row = yield* one(
    db
      .selectFrom("open_holds")
      .select("open")
      .where(ofPartition(partition))
      .where("address", "=", address),
  );
  return row?.open ?? 0;
}

/**
 * Counts one hold more or one hold less. A step that was decided over an older
 * count than it meets here is tried again.
 */
export const countOpenHold = (
  engine: SqlEngine,
  partition: Partition,
  { address, delta }: OpenHoldChange,
): QueryGenerator<void> =>
  delta === 1 ? addHold(engine, partition, address) : removeHold(engine, partition, address);

function* addHold({ db }: SqlEngine, partition: Partition, address: string): QueryGenerator<void> {
  const counted = yield* one(
    db
      .insertInto("open_holds")
      .values({ ...partitionColumns(partition), address, open: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["store_id", "livemode", "address"])
          .doUpdateSet((eb) => ({ open: eb("open_holds.open", "+", 1) }))
          .where("open_holds.open", "<", maxOpenHolds),
      )
      .returning("open"),
  );
  if (!counted) throw new GuardFailed("open holds");
}

function* removeHold(
  { db }: SqlEngine,
  partition: Partition,
  address: string,
): QueryGenerator<void> {
  const left = yield* one(
    db
      .updateTable("open_holds")
      .set((eb) => ({ open: eb("open", "-", 1) }))
      .where(ofPartition(partition))
      .where("address", "=", address)
      .returning("open"),
  );
  if (!left || left.open > 0) return;

  yield* many(
    db.deleteFrom("open_holds").where(ofPartition(partition)).where("address", "=", address),
  );
}
