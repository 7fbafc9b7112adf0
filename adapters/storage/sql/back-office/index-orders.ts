import { type Selectable, sql } from "kysely";
import { customerTotal, orderTerms, sumTotals } from "#core/rules/orders/order-terms.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { addStoredTotals, type StoredTotal } from "../orders/write/order-index.ts";
import type { Tables } from "../schema/tables.ts";

type UnindexedRow = Pick<
  Selectable<Tables["orders"]>,
  "store_id" | "livemode" | "number" | "record"
>;

interface UnindexedOrder {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly order: OrderRecord;
}

/**
 * Indexes orders that an older version wrote. `created_at` marks an order as indexed, in
 * the same transaction: each order counts once, whichever processes share the work and
 * wherever one of them dies.
 */
export function* indexOrders(engine: SqlEngine, limit: number): QueryGenerator<number> {
  const rows = yield* many(engine.dialect.skipLocked(unindexedOrders(engine, limit)));
  return yield* indexRows(engine, rows);
}

export const unindexedOrders = ({ db }: SqlEngine, limit: number) =>
  db
    .selectFrom("orders")
    .select(["store_id", "livemode", "number", "record"])
    .where("created_at", "is", null)
    .orderBy("store_id")
    .orderBy("livemode")
    .orderBy("number")
    .limit(limit);

/** Indexes orders that this transaction has locked, and gives how many there were. */
export function* indexRows(
  engine: SqlEngine,
  rows: readonly UnindexedRow[],
): QueryGenerator<number> {
  if (rows.length === 0) return 0;

  const found = rows.map(
    ({ store_id, livemode, number, record }): UnindexedOrder => ({
      store_id,
      livemode,
      order: { ...fromJson<OrderRecord>(record), number },
    }),
  );
  yield* markIndexed(engine, found);
  yield* insertTerms(engine, found);
  yield* addStoredTotals(engine, totalsOf(found));
  return rows.length;
}

const place = { store_id: "text", livemode: "bigint", number: "bigint" } as const;

function* markIndexed(
  { db, dialect }: SqlEngine,
  found: readonly UnindexedOrder[],
): QueryGenerator<void> {
  const times = found.map(({ store_id, livemode, order }) => ({
    store_id,
    livemode,
    number: order.number,
    created_at: order.created_at,
  }));
  const columns = { ...place, created_at: "bigint" } as const;

  yield* many(
    sql`
      with b as materialized (
        select * from ${dialect.jsonTable("j", sql<string>`${JSON.stringify(times)}`, columns)})
      update ${sql.table("orders")} as r set created_at = b.created_at from b
      where r.store_id = b.store_id and r.livemode = b.livemode and r.number = b.number`.compile(
      db,
    ),
  );
}

function* insertTerms(
  { db, dialect }: SqlEngine,
  found: readonly UnindexedOrder[],
): QueryGenerator<void> {
  const terms = found.flatMap(({ store_id, livemode, order }) =>
    orderTerms(order).map((term) => ({ store_id, livemode, number: order.number, term })),
  );
  const columns = { ...place, term: "text" } as const;

  yield* many(
    sql`
      insert into ${sql.table("order_terms")} (store_id, livemode, term, number)
      select t.store_id, cast(t.livemode as integer), t.term, t.number
      from ${dialect.jsonTable("t", sql<string>`${JSON.stringify(terms)}`, columns)} where true
      on conflict (store_id, livemode, term, number) do nothing`.compile(db),
  );
}

/**
 * Adds up the totals of each store and mode. The orders are sorted by both, so the
 * totals are too.
 */
function totalsOf(found: readonly UnindexedOrder[]): readonly StoredTotal[] {
  const partitions = new Map<string, UnindexedOrder[]>();
  for (const row of found) {
    const key = `${row.store_id}\n${row.livemode}`;
    partitions.set(key, [...(partitions.get(key) ?? []), row]);
  }

  return [...partitions.values()].flatMap((rows) => {
    const totals = rows.flatMap(({ order }) => customerTotal(order) ?? []);
    const [first] = rows;
    if (!first) return [];
    const { store_id, livemode } = first;
    return sumTotals(totals).map((total) => ({ store_id, livemode, ...total }));
  });
}
