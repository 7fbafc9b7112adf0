import { sql } from "kysely";
import { type CustomerTotal, termChanges, totalChanges } from "#core/rules/orders/order-terms.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type Param, prepareRaw, type QueryGenerator } from "../../engine/queries.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import type { AddedTotals, FollowingWrite } from "../../webhooks/event-statements.ts";

/**
 * Keeps the terms of search equal to an order that changes; `insertOrderStep` writes
 * those of a new one.
 */
export function termWriter({ db, dialect }: SqlEngine) {
  const terms = sql.table("order_terms");

  const insertTerms = prepareRaw<unknown>(
    db,
    (param) => sql`
      insert into ${terms} (store_id, livemode, term, number)
      select o.store_id, o.livemode, value, o.number
      from ${sql.table("orders")} as o cross join ${dialect.jsonValues(param("terms"))}
      where ${indexedOrder(dialect, param)}
      on conflict (store_id, livemode, term, number) do nothing`,
  );
  const deleteTerms = prepareRaw<unknown>(
    db,
    (param) => sql`
      delete from ${terms}
      where store_id = ${param("store_id")} and livemode = ${param("livemode")}
        and term in (select value from ${dialect.jsonValues(param("terms"))})
        and number = (
          select o.number from ${sql.table("orders")} as o where ${indexedOrder(dialect, param)})`,
  );

  return function* changeTerms(order: OrderRecord, before: OrderRecord): QueryGenerator<void> {
    if (order === before) return;

    const values = { ...partitionColumns(order), order_id: order.id };
    const { added, removed } = termChanges(before, order);
    if (removed.length > 0) yield* many(deleteTerms({ ...values, terms: JSON.stringify(removed) }));
    if (added.length > 0) yield* many(insertTerms({ ...values, terms: JSON.stringify(added) }));
  };
}

/** Keeps the totals of customers equal to their orders. */
export const addTotals =
  (dialect: SqlDialect): FollowingWrite =>
  (param, counters) =>
    sql`
    insert into ${sql.table("customer_totals")} as k
      (store_id, livemode, customer_id, currency, orders, spent)
    select o.store_id, o.livemode, t.customer_id, t.currency, t.orders, t.spent
    from ${counters ? sql`${counters} cross join` : sql``} ${sql.table("orders")} as o
    cross join ${dialect.jsonTable("t", param("totals"), totalColumns)}
    where ${indexedOrder(dialect, param)} ${addUpTotals}`;

/** Gives what a step adds to the totals, or null when it changes none. */
export function addedTotals(order: OrderRecord, before: OrderRecord | null): AddedTotals | null {
  if (order === before) return null;

  const totals = totalChanges(before, order);
  return totals.length === 0 ? null : { order_id: order.id, totals };
}

/**
 * Makes the condition that maintenance has indexed the order. An order of an older
 * version that is not indexed yet is left to maintenance, which reads it as it is
 * then: that is why this asks for `created_at`.
 */
const indexedOrder = (dialect: SqlDialect, param: Param) => sql`
  o.store_id = ${param("store_id")} and o.livemode = ${param("livemode")}
  and o.id = ${param("order_id")} and ${dialect.withoutIndex("o.created_at")} is not null`;

const totalColumns = {
  customer_id: "text",
  currency: "text",
  orders: "bigint",
  spent: "bigint",
} as const;

/** Adds to the total when the customer has one already. */
export const addUpTotals = sql`
  on conflict (store_id, livemode, customer_id, currency) do update
  set orders = k.orders + excluded.orders, spent = k.spent + excluded.spent`;

/** The total of a customer in a store and mode. */
export interface StoredTotal extends CustomerTotal {
  readonly store_id: string;
  readonly livemode: 0 | 1;
}

/**
 * Adds totals of several customers. Sort them by all four columns of the key, so that
 * two processes lock the rows in one order.
 */
export function* addStoredTotals(
  { db, dialect }: SqlEngine,
  totals: readonly StoredTotal[],
): QueryGenerator<void> {
  if (totals.length === 0) return;

  const columns = { store_id: "text", livemode: "bigint", ...totalColumns } as const;
  const rows = dialect.jsonTable("t", sql<string>`${JSON.stringify(totals)}`, columns);
  yield* many(
    sql`
      insert into ${sql.table("customer_totals")} as k
        (store_id, livemode, customer_id, currency, orders, spent)
      select t.store_id, cast(t.livemode as integer), t.customer_id, t.currency, t.orders, t.spent
      from ${rows} where true ${addUpTotals}`.compile(db),
  );
}
