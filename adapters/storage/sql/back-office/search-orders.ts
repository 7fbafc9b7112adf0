import { type RawBuilder, sql } from "kysely";
import { channelTerm, productTerm, readOrderSearch } from "#core/rules/orders/order-terms.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import type { OrderSearch } from "#core/storage/back-office-store.ts";
import type { OrderList } from "#core/storage/order-store.ts";
import { fromJson, highest, ofPartition, partitionColumns } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { movedIn } from "../engine/moved.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { listedFields } from "../schema/json-fields.ts";

interface Cursor {
  readonly number: number;
  readonly created_at: number | null;
}

export function* searchOrders(engine: SqlEngine, search: OrderSearch): QueryGenerator<OrderList> {
  if (search.paid) return { outcome: "listed", orders: yield* ordersByPayment(engine, search) };

  const cursor = search.after === undefined ? null : yield* findCursor(engine, search);
  if (cursor === undefined) return { outcome: "unknown_cursor" };

  const { search: text, product_id, channel, terms } = search;
  const hasTerms = [text, product_id, channel, terms].some((finder) => finder !== undefined);
  const orders = hasTerms
    ? yield* ordersByTerms(engine, search, cursor)
    : yield* ordersByColumns(engine, search, cursor);
  return { outcome: "listed", orders };
}

function* findCursor({ db }: SqlEngine, search: OrderSearch): QueryGenerator<Cursor | undefined> {
  return yield* one(
    db
      .selectFrom("orders")
      .select(["number", "created_at"])
      .where(ofPartition(search))
      .where("id", "=", search.after ?? ""),
  );
}

/** Walks the index of paid orders, the oldest payment first. */
function* ordersByPayment(
  { db, dialect }: SqlEngine,
  { paid = { from: 0, to: 0 }, limit, ...partition }: OrderSearch,
): QueryGenerator<readonly OrderRecord[]> {
  const { where, order } = movedIn(paid, {
    at: listedFields(dialect.name).paid_at,
    columns: ["number"],
    after: [paid.after?.number ?? 0],
  });
  const rows = yield* many(
    db
      .selectFrom("orders")
      .select("record")
      .where(ofPartition(partition))
      .where(sql<boolean>`${where}`)
      .orderBy(order)
      .limit(limit + 1),
  );
  return rows.map(({ record }) => fromJson<OrderRecord>(record));
}

function orderOf({ oldest_first }: OrderSearch) {
  const { way, sign } = directionOf(oldest_first);
  return { direction: sql.raw(way), beyond: sql.raw(sign) };
}

/** Walks one index of the orders in the list's order. */
function* ordersByColumns(
  engine: SqlEngine,
  search: OrderSearch,
  cursor: Cursor | null,
): QueryGenerator<readonly OrderRecord[]> {
  const { store_id, livemode } = partitionColumns(search);
  const hasRange = search.created_from !== undefined || search.created_to !== undefined;
  const { direction, beyond } = orderOf(search);
  const order = hasRange
    ? sql`o.created_at ${direction}, o.number ${direction}`
    : sql`o.number ${direction}`;
  const behind = !cursor
    ? sql`true`
    : hasRange
      ? sql`(o.created_at, o.number) ${beyond} (${cursor.created_at}, ${cursor.number})`
      : sql`o.number ${beyond} ${cursor.number}`;

  const rows = yield* many(
    sql<{ record: string }>`
      select o.record from ${sql.table("orders")} as o
      where o.store_id = ${store_id} and o.livemode = ${livemode}
        and ${filtersOf(search)} and ${behind}
      order by ${order} limit ${search.limit + 1}`.compile(engine.db),
  );
  return rows.map(({ record }) => fromJson<OrderRecord>(record));
}

const filtersOf = ({ status, customer_id, created_from, created_to }: OrderSearch) =>
  sql.join(
    [
      sql`true`,
      ...(status === undefined ? [] : [sql`o.status = ${status}`]),
      ...(customer_id === undefined ? [] : [sql`o.customer_id = ${customer_id}`]),
      ...(created_from === undefined ? [] : [sql`o.created_at >= ${created_from}`]),
      ...(created_to === undefined ? [] : [sql`o.created_at < ${created_to}`]),
    ],
    sql` and `,
  );

const numbersPerBatch = 500;

interface FoundRow {
  readonly number: number;
  /** Null means that the order does not pass the filters. */
  readonly record: string | null;
}

/**
 * Finds the numbers of the orders in batches, in the list's order, and reads the orders of
 * each batch: however many orders a term has, a page needs the first of them.
 */
function* ordersByTerms(
  { db, dialect }: SqlEngine,
  search: OrderSearch,
  cursor: Cursor | null,
): QueryGenerator<readonly OrderRecord[]> {
  const { store_id, livemode } = partitionColumns(search);
  const wanted = search.limit + 1;
  const found: OrderRecord[] = [];
  const { direction, beyond } = orderOf(search);
  const start = search.oldest_first ? 0 : Number.MAX_SAFE_INTEGER;
  let last = cursor?.number ?? start;
  // The first batch is enough for a search without filters.
  let size = wanted;

  for (;;) {
    const rows = yield* many(
      sql<FoundRow>`
        with f as materialized (
          select n.number from (${numbersOf(dialect, search)}) as n
          where n.number ${beyond} ${last} order by n.number ${direction} limit ${size})
        select f.number, o.record from f
        left join ${sql.table("orders")} as o
          on o.store_id = ${store_id} and o.livemode = ${livemode} and o.number = f.number
          and ${filtersOf(search)}
        order by f.number ${direction}`.compile(db),
    );

    for (const { record } of rows) if (record !== null) found.push(fromJson<OrderRecord>(record));
    if (found.length >= wanted || rows.length < size) return found.slice(0, wanted);
    last = rows.at(-1)?.number ?? start;
    size = numbersPerBatch;
  }
}

/** Selects the numbers that the search, the product and the channel find, all of those given. */
function numbersOf(dialect: SqlDialect, search: OrderSearch): RawBuilder<unknown> {
  const { store_id, livemode } = partitionColumns(search);
  const own = sql`store_id = ${store_id} and livemode = ${livemode}`;
  const terms = sql.table("order_terms");

  if (search.terms)
    return sql`
      select distinct number from ${terms}
      where ${own} and term in (${sql.join(search.terms)})`;

  const { search: text, product_id, channel } = search;
  const [first = "", ...others] = [
    ...(channel === undefined ? [] : [channelTerm(channel)]),
    ...(product_id === undefined ? [] : [productTerm(product_id)]),
  ];
  const ofTerm = sql`select number from ${terms} where ${own} and term = ${first}`;
  const numbers = text === undefined ? ofTerm : searchedNumbers(dialect, search, text);
  const more = text === undefined || first === "" ? others : [first, ...others];
  if (more.length === 0) return numbers;

  const has = (term: string) => sql`exists (
    select 1 from ${terms} as p where p.store_id = ${store_id} and p.livemode = ${livemode}
      and p.term = ${term} and p.number = s.number)`;
  return sql`
    select s.number from (${numbers}) as s where ${sql.join(more.map(has), sql` and `)}`;
}

/** Each part of the union asks one index. */
function searchedNumbers(
  dialect: SqlDialect,
  search: OrderSearch,
  given: string,
): RawBuilder<unknown> {
  const { store_id, livemode } = partitionColumns(search);
  const { text, number, prefixes } = readOrderSearch(given);
  const own = sql`store_id = ${store_id} and livemode = ${livemode}`;
  const [orders, attempts] = [sql.table("orders"), sql.table("payment_attempts")];
  const terms = sql.table("order_terms");

  const byReference = sql`${dialect.withoutIndex("store_id")} = ${store_id}
    and ${dialect.withoutIndex("livemode")} = ${livemode}`;
  const ofMoney = sql`
    select order_id from ${attempts} where ${byReference} and reference = ${text}
    union select order_id from ${attempts} where ${byReference} and payment_reference = ${text}
    union select order_id from ${sql.table("payments")}
      where ${byReference} and payment_reference = ${text}`;
  const parts = [
    sql`select number from ${orders} where ${own} and id = ${text}`,
    sql`select number from ${orders} where ${own} and session_id = ${text}`,
    // SQLite reads the first table of a cross join first.
    sql`select o.number from (${ofMoney}) as m cross join ${orders} as o
      where o.store_id = ${store_id} and o.livemode = ${livemode} and o.id = m.order_id`,
    sql`select number from ${terms} where ${own} and term = ${productTerm(text)}`,
  ];
  if (number !== null)
    parts.push(sql`select number from ${orders} where ${own} and number = ${number}`);
  for (const prefix of prefixes)
    parts.push(sql`select number from ${terms}
      where ${own} and term >= ${prefix} and term < ${prefix + highest}`);
  return sql.join(parts, sql` union `);
}
