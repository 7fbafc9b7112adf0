import { sql } from "kysely";
import { hourMs, minuteMs } from "#core/domain/durations.ts";
import { mergeSales, type Sale } from "#core/rules/owner/sales.ts";
import { startOfHour } from "#core/rules/owner/stats.ts";
import type { Partition } from "#core/rules/records.ts";
import { ofPartition, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { rowsInserter } from "../../engine/rows-inserter.ts";
import type { Tables } from "../../schema/tables.ts";
import { findPayment, readSales } from "./paid-orders.ts";
import { lockSalesRollup, putSalesRollup, type SalesRollup } from "./rollups.ts";
import { type Span, startOf, summedUnits, type Unit, wholeUnits } from "./units.ts";

/** A payment is written this long after its time at the latest. */
const writtenAfterMs = 10 * minuteMs;

/** The end of the last hour whose payments are all written. */
export const salesBound = (now: number): number => startOfHour(now - writtenAfterMs);

/** Bounds what one transaction counts. */
export interface Bounds {
  /** The end of what is counted: orders that were paid from this time on are not. */
  readonly bound: number;
  /** The number of orders to count. The rest of their hour is counted too. */
  readonly atOnce: number;
}

/** Plans what to count next: a span of whole hours, and how far the sales are counted then. */
interface Plan {
  readonly span: Span;
  readonly after: SalesRollup;
}

/**
 * Finds the next orders to count: those behind the counted ones first, then those before
 * them, the newest first. The last span has no order, and ends the count of older ones.
 */
export function* planSales(
  engine: SqlEngine,
  partition: Partition,
  known: SalesRollup,
  { bound, atOnce }: Bounds,
): QueryGenerator<Plan | null> {
  const newer = { from: known.counted_until, to: bound };
  const first = yield* findPayment(engine, partition, newer, { end: "first" });
  if (first !== null) {
    const edge = yield* findPayment(engine, partition, newer, {
      end: "first",
      offset: atOnce,
    });
    const to = edge === null ? bound : Math.max(startOfHour(edge), startOfHour(first) + hourMs);
    return { span: { from: newer.from, to }, after: { ...known, counted_until: to } };
  }

  const older = { from: 0, to: known.counted_since };
  const last = yield* findPayment(engine, partition, older, { end: "last" });
  if (last === null)
    return known.counted_since > 0 ? { span: older, after: { ...known, counted_since: 0 } } : null;
  const edge = yield* findPayment(engine, partition, older, { end: "last", offset: atOnce });
  const from = edge === null ? 0 : Math.min(startOfHour(edge) + hourMs, startOfHour(last));
  return { span: { from, to: older.to }, after: { ...known, counted_since: from } };
}

/**
 * Counts the next orders of a store and mode, and gives their number. One transaction deletes the
 * rows of each hour, writes them anew, and stores the time until which the sales are counted.
 */
export function salesCounter(engine: SqlEngine) {
  const insert = rowsInserter<Tables["counted_sales"]>(columns, (rows) =>
    engine.db.insertInto("counted_sales").values([...rows]),
  );

  function* writeSales(
    partition: Partition,
    unit: Unit,
    salesByTime: ReadonlyMap<number, readonly Sale[]>,
  ): QueryGenerator<void> {
    const own = { ...partitionColumns(partition), unit };
    yield* insert(
      [...salesByTime].flatMap(([starts_at, sales]) =>
        mergeSales(sales).map((sale) => ({ ...own, starts_at, ...sale })),
      ),
    );
  }

  return function* countSales(partition: Partition, bounds: Bounds): QueryGenerator<number> {
    const known = yield* lockSalesRollup(engine, partition, bounds.bound);
    const plan = yield* planSales(engine, partition, known, bounds);
    if (!plan) return 0;

    const { span, after } = plan;
    const paid = yield* readSales(engine, partition, span, Number.MAX_SAFE_INTEGER);
    const hours = groupByTime(paid.map(({ paid_at, sales }) => [startOfHour(paid_at), sales]));
    yield* deleteSales(engine, partition, "hour", span);
    yield* writeSales(partition, "hour", hours);

    const times = [edgeOf(known, span), ...hours.keys()];
    for (const { unit, of } of summedUnits) {
      const whole = wholeUnits(unit, times, after);
      if (whole.from >= whole.to) continue;

      const rows = yield* countedSales(engine, partition, of, whole);
      yield* deleteSales(engine, partition, unit, whole);
      const summed = rows.map((sale) => [startOf(unit, sale.starts_at), [sale]] as const);
      yield* writeSales(partition, unit, groupByTime(summed));
    }
    yield* putSalesRollup(engine, partition, after);
    return paid.length;
  };
}

const columns = [
  "store_id",
  "livemode",
  "unit",
  "starts_at",
  "kind",
  "currency",
  "subject",
  "name",
  "orders",
  "pieces",
  "amount",
] as const satisfies readonly (keyof Tables["counted_sales"])[];

/** The units that the counted hours ended in, or began in, have changed too: they may be whole. */
const edgeOf = (known: SalesRollup, span: Span): number =>
  span.from === known.counted_until ? known.counted_until : known.counted_since;

function groupByTime(
  sold: readonly (readonly [time: number, sales: readonly Sale[]])[],
): ReadonlyMap<number, readonly Sale[]> {
  const byTime = new Map<number, Sale[]>();
  for (const [time, sales] of sold) {
    const known = byTime.get(time);
    if (known) known.push(...sales);
    else byTime.set(time, [...sales]);
  }
  return byTime;
}

const inSpan = ({ from, to }: Span) => sql<boolean>`starts_at >= ${from} and starts_at < ${to}`;

function* deleteSales(
  { db }: SqlEngine,
  partition: Partition,
  unit: Unit,
  span: Span,
): QueryGenerator<void> {
  yield* many(
    db
      .deleteFrom("counted_sales")
      .where(ofPartition(partition))
      .where("unit", "=", unit)
      .where(inSpan(span)),
  );
}

type TimedSale = Sale & { readonly starts_at: number };

function* countedSales(
  { db }: SqlEngine,
  partition: Partition,
  unit: Unit,
  span: Span,
): QueryGenerator<readonly TimedSale[]> {
  return yield* many(
    db
      .selectFrom("counted_sales")
      .select(["starts_at", "kind", "currency", "subject", "name", "orders", "pieces", "amount"])
      .where(ofPartition(partition))
      .where("unit", "=", unit)
      .where(inSpan(span))
      .orderBy("starts_at"),
  );
}
