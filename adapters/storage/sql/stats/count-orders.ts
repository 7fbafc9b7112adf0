import { sql } from "kysely";
import { mergeStats, statsOfHistory } from "#core/rules/owner/stats.ts";
import { readAttempt, readDispute, readRefund } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, Partition, SessionRecord } from "#core/rules/records.ts";
import { statsWriter } from "../access/add-stats.ts";
import { fromJson, ofPartition, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

/**
 * Counts orders that an older version wrote. One call counts those of one store and
 * mode, beginning with the orders that changed last. In the same transaction
 * `in_stats` marks each order as counted, and later steps on it count by
 * themselves. So each order counts once, even if several processes share the work
 * or one of them dies.
 */
export async function countOrders(engine: SqlEngine, limit: number): Promise<number> {
  const partition = await engine.read(() => findUncounted(engine));
  return partition ? engine.write(() => countPartition(engine, partition, limit)) : 0;
}

function* findUncounted({ db }: SqlEngine): QueryGenerator<Partition | null> {
  const row = yield* one(
    db
      .selectFrom("orders")
      .select(["store_id", "livemode"])
      .where("in_stats", "is", null)
      .orderBy("store_id")
      .orderBy("livemode")
      .limit(1),
  );
  return row ? { store_id: row.store_id, livemode: row.livemode === 1 } : null;
}

function* countPartition(
  engine: SqlEngine,
  partition: Partition,
  limit: number,
): QueryGenerator<number> {
  const orders = yield* lockUncounted(engine, partition, limit);
  if (orders.length === 0) return 0;

  const history = yield* readHistory(engine, partition, orders);
  yield* markCounted(engine, partition, orders);
  yield* statsWriter(engine)(partition, mergeStats(history.flatMap(statsOfHistory)));
  return orders.length;
}

function* lockUncounted(
  { db, dialect }: SqlEngine,
  partition: Partition,
  limit: number,
): QueryGenerator<readonly OrderRecord[]> {
  const uncounted = db
    .selectFrom("orders")
    .select("record")
    .where(ofPartition(partition))
    .where("in_stats", "is", null)
    .orderBy("updated_at", "desc")
    .limit(limit);
  const rows = yield* many(dialect.skipLocked(uncounted));
  return rows.map(({ record }) => ({ ...fromJson<OrderRecord>(record), in_stats: true }));
}

/** Reads the history of an order, whose lock also guards its attempts, refunds and disputes. */
function* readHistory(
  engine: SqlEngine,
  partition: Partition,
  orders: readonly OrderRecord[],
): QueryGenerator<readonly Parameters<typeof statsOfHistory>[0][]> {
  const ids = orders.map(({ id }) => id);
  const session_ids = orders.flatMap(({ session_id }) => session_id ?? []);
  const read = (table: HistoryTable, column: "id" | "order_id", values: readonly string[]) =>
    recordsOf(engine, partition, { table, column, values });

  const attempts = (yield* read("payment_attempts", "order_id", ids)).map(readAttempt);
  const refunds = (yield* read("refunds", "order_id", ids)).map(readRefund);
  const disputes = (yield* read("disputes", "order_id", ids)).map(readDispute);
  const sessions = (yield* read("checkout_sessions", "id", session_ids)).map((text) =>
    fromJson<SessionRecord>(text),
  );

  const byOrder = { attempts: group(attempts), refunds: group(refunds), disputes: group(disputes) };
  const sessionById = new Map(sessions.map((session) => [session.id, session]));
  return orders.map((order) => ({
    order,
    session: sessionById.get(order.session_id ?? "") ?? null,
    attempts: byOrder.attempts.get(order.id) ?? [],
    refunds: byOrder.refunds.get(order.id) ?? [],
    disputes: byOrder.disputes.get(order.id) ?? [],
  }));
}

type HistoryTable = "payment_attempts" | "refunds" | "disputes" | "checkout_sessions";

interface Selection {
  readonly table: HistoryTable;
  readonly column: "id" | "order_id";
  readonly values: readonly string[];
}

function* recordsOf(
  { db, dialect }: SqlEngine,
  partition: Partition,
  { table, column, values }: Selection,
): QueryGenerator<readonly string[]> {
  const { store_id, livemode } = partitionColumns(partition);
  const wanted = dialect.jsonValues(sql<string>`${JSON.stringify(values)}`);
  const rows = yield* many(
    sql<{ record: string }>`
      select record from ${sql.table(table)}
      where store_id = ${store_id} and livemode = ${livemode}
        and ${sql.ref(column)} in (select value from ${wanted})`.compile(db),
  );
  return rows.map(({ record }) => record);
}

function group<Row extends { readonly order_id: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const known = groups.get(row.order_id);
    if (known) known.push(row);
    else groups.set(row.order_id, [row]);
  }
  return groups;
}

function* markCounted(
  { db, dialect }: SqlEngine,
  partition: Partition,
  orders: readonly OrderRecord[],
): QueryGenerator<void> {
  const { store_id, livemode } = partitionColumns(partition);
  const marked = orders.map((order) => ({ order_id: order.id, new_record: JSON.stringify(order) }));
  const columns = { order_id: "text", new_record: "text" } as const;

  yield* many(
    sql`
      update ${sql.table("orders")} as o set in_stats = 1, record = g.new_record
      from ${dialect.jsonTable("g", sql<string>`${JSON.stringify(marked)}`, columns)}
      where o.store_id = ${store_id} and o.livemode = ${livemode} and o.id = g.order_id`.compile(
      db,
    ),
  );
}
