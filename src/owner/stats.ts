import { z } from "zod";
import { check, checkId, refuse } from "../input/check.ts";
import { moment } from "../input/fields.ts";
import { iso } from "../rules/render.ts";
import { type StatChange, startOfHour } from "../rules/stats.ts";
import { type OwnerContext, unknownStore } from "./context.ts";

const StatsQuery = z.strictObject({
  store_id: z.string(),
  livemode: z.boolean(),
  from: moment,
  to: moment,
  interval: z.enum(["hour", "day", "month"]),
});
/**
 * `from` and `to` are rounded down to the hour. `to` is not included, and lies at
 * most 400 days after `from`.
 */
export interface StatsQuery extends z.input<typeof StatsQuery> {}
type Interval = StatsQuery["interval"];

/** Amounts are minor units of one currency. */
export interface StatsNumbers {
  /** Orders that were paid, at the time when their money came. */
  readonly orders_paid: number;
  /** The totals of these orders. */
  readonly amount_gross: number;
  /**
   * Refunds at the time when they succeeded. One that fails later is taken off at
   * the time when it failed, so that this may be negative.
   */
  readonly amount_refunded: number;
  /** Disputes that were lost, at the time when they closed. */
  readonly disputes_lost: number;
  readonly amount_disputes_lost: number;
  /** `amount_gross` without refunds and lost disputes. */
  readonly amount_net: number;
  /**
   * Payments that ended without money. One that is paid later all the same is taken
   * off at the time of its money.
   */
  readonly payments_failed: number;
}

/** The numbers of one hour, day or month. */
export interface StatsPoint extends StatsNumbers {
  /**
   * The hour as `2026-01-31T13:00:00.000Z`; the day as `2026-01-31` and the month as
   * `2026-01`, both of the store's time zone.
   */
  readonly start: string;
}

/** The numbers of a store: orders, money and failures over time. */
export interface OwnerStats {
  readonly interval: Interval;
  /** The store's time zone, whose days and months these are. */
  readonly timezone: string;
  /** ISO 8601 UTC. */
  readonly from: string;
  /** ISO 8601 UTC. */
  readonly to: string;
  /**
   * ISO 8601 UTC. The database began to count then: what happened before is in no
   * number. Null: everything was counted.
   */
  readonly complete_from: string | null;
  /** Only the currencies in which something was counted, by their codes. */
  readonly currencies: readonly {
    readonly currency: string;
    readonly totals: StatsNumbers;
    /** A point for every interval, the oldest first, also where nothing happened. */
    readonly series: readonly StatsPoint[];
  }[];
}

const hourMs = 3_600_000;
const longestMs = 400 * 24 * hourMs;

export async function readStats(ctx: OwnerContext, input: StatsQuery): Promise<OwnerStats> {
  const query = check(StatsQuery, input);
  const store_id = checkId("store_id", query.store_id);
  const { livemode, interval } = query;
  const from = startOfHour(query.from);
  const to = startOfHour(query.to);
  if (to <= from) return refuse("to", "must be at least an hour after from");
  if (to - from > longestMs) return refuse("to", "must be at most 400 days after from");

  const store = await ctx.storage.access.findStore(store_id);
  if (!store) return unknownStore();

  const { rows, counted_since } = await ctx.storage.stats.listHours({
    store_id,
    livemode,
    from,
    to,
  });
  const labelOf = labeller(interval, store.timezone);
  const labels = labelsBetween(from, to, labelOf);
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return {
    interval,
    timezone: store.timezone,
    from: iso(from),
    to: iso(to),
    complete_from: counted_since === null ? null : iso(counted_since),
    currencies: currencies.map((currency) => {
      const ofCurrency = rows.filter((row) => row.currency === currency);
      return { currency, totals: sum(ofCurrency), series: seriesOf(ofCurrency, labels, labelOf) };
    }),
  };
}

type LabelOf = (hour: number) => string;

/**
 * Names the interval of a UTC hour. Where a zone differs from UTC by a part of an
 * hour, the hour belongs to the day in which it begins.
 */
function labeller(interval: Interval, timeZone: string): LabelOf {
  if (interval === "hour") return iso;

  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (hour) => {
    const parts = new Map(format.formatToParts(hour).map(({ type, value }) => [type, value]));
    const month = `${parts.get("year")}-${parts.get("month")}`;
    return interval === "month" ? month : `${month}-${parts.get("day")}`;
  };
}

/** Every hour is asked, because days with a change of the clock are shorter or longer. */
function labelsBetween(from: number, to: number, labelOf: LabelOf): readonly string[] {
  const labels = new Set<string>();
  for (let hour = from; hour < to; hour += hourMs) labels.add(labelOf(hour));
  return [...labels];
}

function seriesOf(
  rows: readonly StatChange[],
  labels: readonly string[],
  labelOf: LabelOf,
): readonly StatsPoint[] {
  const byLabel = new Map<string, StatChange[]>(labels.map((label) => [label, []]));
  for (const row of rows) byLabel.get(labelOf(row.hour))?.push(row);
  return [...byLabel].map(([start, ofLabel]) => ({ start, ...sum(ofLabel) }));
}

function sum(rows: readonly StatChange[]): StatsNumbers {
  const total = (kind: StatChange["kind"], field: "count" | "amount"): number =>
    rows.reduce((added, row) => (row.kind === kind ? added + row[field] : added), 0);

  const amount_gross = total("paid", "amount");
  const amount_refunded = total("refunded", "amount");
  const amount_disputes_lost = total("dispute_lost", "amount");
  return {
    orders_paid: total("paid", "count"),
    amount_gross,
    amount_refunded,
    disputes_lost: total("dispute_lost", "count"),
    amount_disputes_lost,
    amount_net: amount_gross - amount_refunded - amount_disputes_lost,
    payments_failed: total("payment_failed", "count"),
  };
}
