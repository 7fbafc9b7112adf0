import { sql } from "kysely";
import { emailTerm } from "#core/rules/orders/order-terms.ts";
import { type Sale, salesOf } from "#core/rules/owner/sales.ts";
import type { OrderRecord, Partition } from "#core/rules/records.ts";
import { fromJson, ofPartition, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";
import { listedFields } from "../../schema/json-fields.ts";
import type { Span } from "./units.ts";

/** Writes the expression of the index of paid orders. */
const paidAt = ({ dialect }: SqlEngine) => sql.raw<number>(listedFields(dialect.name).paid_at);

/** Selects the orders that were paid in a span, by their index. */
function paidOrders(engine: SqlEngine, partition: Partition, { from, to }: Span) {
  const at = paidAt(engine);
  return engine.db
    .selectFrom("orders")
    .where(ofPartition(partition))
    .where(sql<boolean>`${at} is not null and ${at} >= ${from} and ${at} < ${to}`);
}

interface Place {
  readonly end: "first" | "last";
  /** The number of orders to pass over. */
  readonly offset?: number;
}

/** Finds when an order was paid, counted from one end of the span. Null beyond its other end. */
export function* findPayment(
  engine: SqlEngine,
  partition: Partition,
  span: Span,
  { end, offset = 0 }: Place,
): QueryGenerator<number | null> {
  const order = sql`${paidAt(engine)} ${sql.raw(end === "first" ? "asc" : "desc")}`;
  const found = yield* one(
    paidOrders(engine, partition, span)
      .select(paidAt(engine).as("paid_at"))
      .orderBy(order)
      .limit(1)
      .offset(offset),
  );
  return found?.paid_at ?? null;
}

/** The sales of one paid order. */
export interface PaidSales {
  readonly paid_at: number;
  readonly sales: readonly Sale[];
}

/** Reads what the newest orders of a span sold, the oldest of them first. */
export function* readSales(
  engine: SqlEngine,
  partition: Partition,
  span: Span,
  limit: number,
): QueryGenerator<readonly PaidSales[]> {
  const at = paidAt(engine);
  const rows = yield* many(
    paidOrders(engine, partition, span)
      .select("record")
      .orderBy(sql`${at} desc, number desc`)
      .limit(limit),
  );
  const orders = rows.map(({ record }) => fromJson<OrderRecord>(record)).reverse();
  const returning = yield* findReturning(engine, partition, orders);
  return orders.map((order) => ({
    paid_at: order.paid_at ?? 0,
    sales: salesOf(order, !returning.has(order.number)),
  }));
}

const askedColumns = {
  number: "bigint",
  customer_id: "text",
  term: "text",
  paid_at: "bigint",
} as const;

/** Finds the orders, by number, whose customer or e-mail had paid another one before. */
function* findReturning(
  engine: SqlEngine,
  partition: Partition,
  orders: readonly OrderRecord[],
): QueryGenerator<ReadonlySet<number>> {
  if (orders.length === 0) return new Set();

  const { db, dialect } = engine;
  const asked = orders.map(({ number, customer, paid_at }) => ({
    number,
    customer_id: customer.id,
    term: customer.email === null ? null : emailTerm(customer.email),
    paid_at,
  }));
  const at = paidAt(engine);
  const { store_id, livemode } = partitionColumns(partition);
  const inStore = (table: string) =>
    sql`${sql.ref(`${table}.store_id`)} = ${store_id}
      and ${sql.ref(`${table}.livemode`)} = ${livemode}`;
  // Most customers have this one order: its number spares the database from reading its JSON.
  const isEarlier = sql`o.number <> asked.number
    and ${at} is not null and ${at} <= asked.paid_at
    and (${at} < asked.paid_at or o.number < asked.number)`;
  const earlier = sql`${sql.table("orders")} as o`;

  const given = sql<string>`${JSON.stringify(asked)}`;
  const rows = yield* many(
    sql<{ number: number }>`
      select asked.number from ${dialect.jsonTable("asked", given, askedColumns)}
      where exists (
          select 1 from ${earlier}
          where ${inStore("o")} and o.customer_id = asked.customer_id and ${isEarlier})
        or exists (
          select 1 from ${sql.table("order_terms")} as t
          join ${earlier} on ${inStore("o")} and o.number = t.number
          where ${inStore("t")} and t.term = asked.term and ${isEarlier})`.compile(db),
  );
  return new Set(rows.map(({ number }) => number));
}
