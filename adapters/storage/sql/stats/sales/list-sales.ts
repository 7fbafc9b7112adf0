import { type RawBuilder, sql } from "kysely";
import { hourMs } from "#core/domain/durations.ts";
import { type ComparedSale, mergeSales, type SalesQuery } from "#core/rules/owner/sales.ts";
import { startOfHour } from "#core/rules/owner/stats.ts";
import type { CountedSales } from "#core/storage/reads/stats-store.ts";
import { ofPartition } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { type PaidSales, readSales } from "./paid-orders.ts";
import { readSalesRollup, type SalesRollup } from "./rollups.ts";
import { type Part, partsOf, type Span } from "./units.ts";

/** The most orders without a count that one reading adds up. */
const mostUncounted = 10_000;

/**
 * Reads the sales of two spans: weeks that were counted, the days and hours at their edges, and
 * the orders that are not counted yet. What is counted meanwhile is in none of these twice, because
 * the first statement says how far the others read.
 */
export function* listSales(engine: SqlEngine, query: SalesQuery): QueryGenerator<CountedSales> {
  const { before, to } = query;
  const rollup = yield* readSalesRollup(engine, query);
  const counted = rollup ?? { counted_since: 0, counted_until: 0 };
  const uncounted = { from: Math.max(before, counted.counted_until), to };
  const paid =
    uncounted.from < to ? yield* readSales(engine, query, uncounted, mostUncounted + 1) : [];
  const isCut = paid.length > mostUncounted;
  const rows = yield* many(salesQuery(engine, query, counted, paid).compile(engine.db));
  const first = paid[0]?.paid_at ?? 0;
  return {
    rows: rows.map(saleOf),
    complete_from: isCut ? startOfHour(first) + hourMs : counted.counted_since || null,
    kept: { from: counted.counted_since, to: counted.counted_until },
  };
}

interface SaleRow extends Omit<ComparedSale, "now" | "before"> {
  readonly orders: number;
  readonly pieces: number;
  readonly amount: number;
  readonly orders_before: number;
  readonly pieces_before: number;
  readonly amount_before: number;
}

const saleOf = ({ kind, currency, subject, name, ...sums }: SaleRow): ComparedSale => ({
  kind,
  currency,
  subject,
  name,
  now: { orders: sums.orders, pieces: sums.pieces, amount: sums.amount },
  before: {
    orders: sums.orders_before,
    pieces: sums.pieces_before,
    amount: sums.amount_before,
  },
});

/** Divides the counted part of a span. */
const countedParts = (span: Span, counted: SalesRollup) =>
  partsOf({
    from: Math.max(span.from, counted.counted_since),
    to: Math.min(span.to, counted.counted_until),
  });

const freshColumns = {
  kind: "text",
  currency: "text",
  subject: "text",
  name: "text",
  orders: "bigint",
  pieces: "bigint",
  amount: "bigint",
} as const;

const sums = sql.join(
  ["orders", "pieces", "amount"].map(
    (column) => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.ref(column)}`,
  ),
);

const sumIf = (past: 0 | 1, column: string): RawBuilder<number> =>
  sql`cast(sum(case when past = ${sql.lit(past)} then ${sql.ref(column)} else 0 end) as bigint)`;

/**
 * Looks up the name that a product had in the last of its rows. Parts lie one behind the other, so
 * that the time of a row tells its unit, and the key of the table finds it.
 */
function lastName(query: SalesQuery, parts: readonly Part[]): RawBuilder<string | null> {
  if (parts.length === 0) return sql`cast(null as text)`;
  const units = parts.map(({ to, unit }) => sql`when sold_at < ${to} then ${unit}`);
  return sql`(
      select named.name from ${sql.table("counted_sales")} as named
      where ${ofPartition(query, "named")} and named.unit = case ${sql.join(units, sql` `)} end
        and named.starts_at = sold_at and named.kind = placed.kind
        and named.currency = placed.currency and named.subject = placed.subject
    )`;
}

/**
 * Adds up all parts, and leaves the subjects of each kind that sold most. Of the products only
 * these are added up for the span before, which may have sold thousands of others.
 */
function salesQuery(
  engine: SqlEngine,
  query: SalesQuery,
  counted: SalesRollup,
  paid: readonly PaidSales[],
): RawBuilder<SaleRow> {
  const { before, from, to, top } = query;
  const columns = sql`kind, currency, subject, orders, pieces, amount`;
  const soldIn = (span: Span): RawBuilder<unknown> => {
    const parts = countedParts(span, counted).map(
      (part) => sql`
      select starts_at, cast(null as text) as name, ${columns} from ${sql.table("counted_sales")}
      where ${ofPartition(query)} and unit = ${part.unit}
        and starts_at >= ${part.from} and starts_at < ${part.to}`,
    );
    const fresh = paid.flatMap(({ paid_at, sales }) =>
      paid_at >= span.from && paid_at < span.to ? sales : [],
    );
    const given = sql<string>`${JSON.stringify(mergeSales(fresh))}`;
    // What is not counted is newer than all that is, and has its name with it.
    const uncounted = sql`
      select cast(${to} as bigint) as starts_at, name, ${columns}
      from ${engine.dialect.jsonTable("fresh", given, freshColumns)}`;
    return sql.join([...parts, uncounted], sql` union all `);
  };
  const place = (column: string) => sql`row_number() over (
      partition by kind, currency order by ${sql.ref(column)} desc, subject)`;
  const isTop = sql`(by_pieces <= ${top} or by_amount <= ${top})`;

  return sql<SaleRow>`
    with sold as materialized (
      select kind, currency, subject, max(starts_at) as sold_at, max(name) as name,
        ${sums}
      from (${soldIn({ from, to })}) as sales
      group by kind, currency, subject
    ),
    ranked as (
      select sold.*, ${place("pieces")} as by_pieces, ${place("amount")} as by_amount from sold
    ),
    shown as materialized (
      select cast(0 as bigint) as past, sold_at, name, ${columns}
      from ranked where kind <> 'product' or ${isTop}
    )
    select kind, currency, subject,
      case when kind = 'product'
        then coalesce(name, ${lastName(query, countedParts({ from, to }, counted))}, '')
        else '' end as name,
      orders, pieces, amount, orders_before, pieces_before, amount_before
    from (
      select compared.*, ${place("pieces")} as by_pieces, ${place("amount")} as by_amount
      from (
        select kind, currency, subject,
          max(sold_at) as sold_at, max(name) as name,
          ${sumIf(0, "orders")} as orders, ${sumIf(0, "pieces")} as pieces,
          ${sumIf(0, "amount")} as amount, ${sumIf(1, "orders")} as orders_before,
          ${sumIf(1, "pieces")} as pieces_before, ${sumIf(1, "amount")} as amount_before
        from (
          select past, sold_at, name, ${columns} from shown
          union all
          select cast(1 as bigint) as past, cast(null as bigint) as sold_at,
            cast(null as text) as name, ${columns}
          from (${soldIn({ from: before, to: from })}) as earlier
          where kind <> 'product'
            or subject in (select subject from shown where kind = 'product')
        ) as both_spans
        group by kind, currency, subject
      ) as compared
    ) as placed
    where ${isTop}`;
}
