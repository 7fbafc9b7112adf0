import { expressionBuilder, sql } from "kysely";
import type { CustomerRow } from "#core/rules/owner/order-search.ts";
import type { OrderRecord, Partition } from "#core/rules/records.ts";
import type { CustomerQuery, SpentQuery } from "#core/storage/back-office-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";

export function* listCustomers(
  engine: SqlEngine,
  partition: Partition,
  query: CustomerQuery,
): QueryGenerator<readonly CustomerRow[]> {
  if ("ids" in query) return yield* findCustomers(engine, partition, query.ids);
  if ("spent_in" in query) return yield* customersBySpent(engine, partition, query);

  const { after, descending, limit } = query;
  const { way, sign } = directionOf(!descending);
  let page = totalsOf(engine, partition).select("customer_id");
  if (after !== null) page = page.where("customer_id", sign, after);
  const rows = yield* many(page.groupBy("customer_id").orderBy("customer_id", way).limit(limit));

  const ids = rows.map(({ customer_id }) => customer_id);
  const found = yield* findCustomers(engine, partition, ids);
  return descending ? found.toReversed() : found;
}

/**
 * Walks the index of totals. Each row keeps the amount that it was sorted by, because the
 * cursor needs it. The customer may pay before the rest of the row is read.
 */
function* customersBySpent(
  engine: SqlEngine,
  partition: Partition,
  { spent_in, after, descending, limit }: SpentQuery,
): QueryGenerator<readonly CustomerRow[]> {
  const { way, sign } = directionOf(!descending);
  let page = totalsOf(engine, partition)
    .select(["customer_id", "currency", "orders", "spent"])
    .where("currency", "=", spent_in);
  if (after !== null)
    page = page.where(
      sql<boolean>`(spent, customer_id) ${sql.raw(sign)} (${after.spent}, ${after.id})`,
    );
  const rows = yield* many(page.orderBy("spent", way).orderBy("customer_id", way).limit(limit));

  const ids = rows.map(({ customer_id }) => customer_id);
  const found = yield* findCustomers(engine, partition, ids);
  const byId = new Map(found.map((customer) => [customer.id, customer]));
  return rows.flatMap((total) => {
    const customer = byId.get(total.customer_id);
    const totals = customer?.totals.map((each) => (each.currency === spent_in ? total : each));
    return customer && totals ? [{ ...customer, totals }] : [];
  });
}

function* findCustomers(
  engine: SqlEngine,
  partition: Partition,
  ids: readonly string[],
): QueryGenerator<readonly CustomerRow[]> {
  if (ids.length === 0) return [];

  const rows = yield* many(
    totalsOf(engine, partition)
      .select(["customer_id", "currency", "orders", "spent"])
      .select(newestOrder(partition).as("newest"))
      .where("customer_id", "in", ids)
      .orderBy("customer_id")
      .orderBy("currency"),
  );

  const found = [...new Set(rows.map(({ customer_id }) => customer_id))];
  return found.map((id) => {
    const totals = rows.filter(({ customer_id }) => customer_id === id);
    const newest = totals[0]?.newest ?? null;
    return {
      id,
      totals: totals.map(({ newest: _, ...total }) => total),
      latest_order: newest === null ? null : fromJson<OrderRecord>(newest),
    };
  });
}

/** Selects the newest order of the customer of a row of totals. */
function newestOrder(partition: Partition) {
  return expressionBuilder<Tables, "customer_totals">()
    .selectFrom("orders")
    .select("orders.record")
    .where(ofPartition(partition, "orders"))
    .whereRef("orders.customer_id", "=", "customer_totals.customer_id")
    .orderBy("orders.number", "desc")
    .limit(1);
}

/**
 * Selects the totals. A row of zero orders is left where a customer's last paid
 * order moved to another one.
 */
function totalsOf({ db }: SqlEngine, partition: Partition) {
  return db.selectFrom("customer_totals").where(ofPartition(partition)).where("orders", ">", 0);
}
