import { statsOnCitus } from "../access/add-stats.citus.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, prepare } from "../engine/queries.ts";
import { rowsInserter } from "../engine/rows-inserter.ts";
import type { Tables } from "../schema/tables.ts";
import type { FollowingWrites } from "../webhooks/event-statements.ts";

/**
 * Reads whether the order is indexed, and then writes its totals as values. The step
 * has locked the order, so maintenance does not index it in between.
 */
export function followingOnCitus(engine: SqlEngine): FollowingWrites["write"] {
  const findIndexed = indexedOrder(engine);
  const addTotals = totalsInserter(engine);
  const addStats = statsOnCitus(engine);

  return function* writeFollowing(partition, { totals, stats }) {
    if (totals) {
      const columns = partitionColumns(partition);
      const isIndexed = yield* one(findIndexed({ ...columns, order_id: totals.order_id }));
      if (isIndexed) yield* addTotals(totals.totals.map((total) => ({ ...columns, ...total })));
    }
    yield* addStats(partition, stats);
  };
}

/** Maintenance counts an order of an older version, which it has not indexed yet. */
const indexedOrder = ({ db }: SqlEngine) =>
  prepare((param) =>
    db
      .selectFrom("orders")
      .select("id")
      .where("store_id", "=", param<string>("store_id"))
      .where("livemode", "=", param<0 | 1>("livemode"))
      .where("id", "=", param<string>("order_id"))
      .where("created_at", "is not", null),
  );

const totalsInserter = ({ db }: SqlEngine) =>
  rowsInserter<Tables["customer_totals"]>(
    ["store_id", "livemode", "customer_id", "currency", "orders", "spent"],
    (rows) =>
      db
        .insertInto("customer_totals")
        .values([...rows])
        .onConflict((conflict) =>
          conflict
            .columns(["store_id", "livemode", "customer_id", "currency"])
            .doUpdateSet((eb) => ({
              orders: eb("customer_totals.orders", "+", eb.ref("excluded.orders")),
              spent: eb("customer_totals.spent", "+", eb.ref("excluded.spent")),
            })),
        ),
  );
