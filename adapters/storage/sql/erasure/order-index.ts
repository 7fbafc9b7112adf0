import { sql } from "kysely";
import { sumTotals, termChanges, totalChanges } from "#core/rules/orders/order-terms.ts";
import { blankOrder } from "#core/rules/owner/erasure.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import { ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { addStoredTotals } from "../orders/write/order-index.ts";

interface ErasedOrders {
  readonly store_id: string;
  readonly customer_id: string;
  readonly livemode: 0 | 1;
  /** The orders as they were before. */
  readonly orders: readonly OrderRecord[];
  /** The ids of those that maintenance has indexed. */
  readonly indexed: ReadonlySet<string>;
}

/**
 * Takes erased orders out of what the back office finds by their customer, and deletes
 * the owner's notes on them. The totals come last, as in every step.
 */
export function* eraseOrderIndex(
  engine: SqlEngine,
  { store_id, customer_id, livemode, orders, indexed }: ErasedOrders,
): QueryGenerator<void> {
  const { db } = engine;
  yield* many(
    db
      .deleteFrom("order_notes")
      .where(ofPartition({ store_id, livemode }))
      .where(
        "order_id",
        "in",
        orders.map(({ id }) => id),
      ),
  );

  const known = orders.filter(({ id }) => indexed.has(id));
  yield* deleteTerms(engine, { store_id, livemode, orders: known });

  const changes = sumTotals(known.flatMap((order) => totalChanges(order, blankOrder(order))));
  yield* addStoredTotals(
    engine,
    changes.map((total) => ({ store_id, livemode, ...total })),
  );
  yield* many(
    db
      .deleteFrom("customer_totals")
      .where(ofPartition({ store_id, livemode }))
      .where("customer_id", "=", customer_id)
      .where("orders", "=", 0),
  );
}

function* deleteTerms(
  { db, dialect }: SqlEngine,
  { store_id, livemode, orders }: Pick<ErasedOrders, "store_id" | "livemode" | "orders">,
): QueryGenerator<void> {
  const removed = orders.flatMap((order) =>
    termChanges(order, blankOrder(order)).removed.map((term) => ({ term, number: order.number })),
  );
  if (removed.length === 0) return;

  const rows = dialect.jsonTable("t", sql<string>`${JSON.stringify(removed)}`, {
    term: "text",
    number: "bigint",
  });
  yield* many(
    sql`
      delete from ${sql.table("order_terms")}
      where store_id = ${store_id} and livemode = ${livemode}
        and (term, number) in (select t.term, t.number from ${rows})`.compile(db),
  );
}
