import { z } from "zod";
import { remember } from "../domain/remember.ts";
import { check, checkId, refuse } from "../input/check.ts";
import { moment } from "../input/fields.ts";
import { iso } from "../rules/render.ts";
import { hourMs, type StatChange, type StatKind, startOfHour } from "../rules/stats.ts";
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

/**
 * The numbers of checkout sessions, paid or not. Each session counts in the hour in
 * which it was created.
 */
export interface SessionNumbers {
  readonly created: number;
  /** The number of created sessions that were paid at any later time. */
  readonly completed: number;
  /** The share of `completed` in `created`, from 0 to 1. It is null when none was created. */
  readonly conversion: number | null;
}

/** The numbers of sessions of one interval. */
export interface SessionPoint extends SessionNumbers {
  /** This is the same as in `StatsPoint`. */
  readonly start: string;
}

/**
 * The numbers of attempts to deliver webhooks. Each attempt counts in the hour in
 * which it began.
 */
export interface DeliveryNumbers {
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** The numbers of attempts of one interval. */
export interface DeliveryPoint extends DeliveryNumbers {
  /** This is the same as in `StatsPoint`. */
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
   * The numbers are complete from this time on, in ISO 8601, in UTC. Orders of an
   * older version are not yet counted before it. The time moves back while
   * `runMaintenance` counts them. Null means that all are counted.
   */
  readonly complete_from: string | null;
  /** Only the currencies in which something was counted, by their codes. */
  readonly currencies: readonly {
    readonly currency: string;
    readonly totals: StatsNumbers;
    /** A point for every interval, the oldest first, also where nothing happened. */
    readonly series: readonly StatsPoint[];
  }[];
  /** `complete_from` has the same meaning as above, for the sessions alone. */
  readonly sessions: {
    readonly complete_from: string | null;
    readonly totals: SessionNumbers;
    readonly series: readonly SessionPoint[];
  };
  /** `complete_from` has the same meaning as above, for the attempts alone. */
  readonly deliveries: {
    readonly complete_from: string | null;
    readonly totals: DeliveryNumbers;
    readonly series: readonly DeliveryPoint[];
  };
}

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

  const { rows, complete_from } = await ctx.storage.stats.listHours({
    store_id,
    livemode,
    from,
    to,
  });
  const labelOf = labeller(interval, store.timezone);
  const labels = labelsBetween(from, to, labelOf);
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  const seriesOf = <Numbers>(
    ofSeries: readonly StatChange[],
    add: (rows: readonly StatChange[]) => Numbers,
  ) => ({ totals: add(ofSeries), series: pointsOf(ofSeries, { labels, labelOf, add }) });

  return {
    interval,
    timezone: store.timezone,
    from: iso(from),
    to: iso(to),
    complete_from: isoOrNull(complete_from.orders),
    currencies: currencies
      .filter((currency) => currency !== "")
      .map((currency) => {
        const ofCurrency = rows.filter((row) => row.currency === currency);
        return { currency, ...seriesOf(ofCurrency, sum) };
      }),
    sessions: {
      complete_from: isoOrNull(complete_from.sessions),
      ...seriesOf(rows, sumSessions),
    },
    deliveries: {
      complete_from: isoOrNull(complete_from.deliveries),
      ...seriesOf(rows, sumDeliveries),
    },
  };
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

type LabelOf = (hour: number) => string;

const mostHours = longestMs / hourMs + 1;

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
  // The numbers of all kinds ask for the same hours.
  return remember(mostHours, (hour) => {
    // The English format writes 01/31/2026. `formatToParts` would take three times as long.
    const [month, day, year] = format.format(hour).split("/");
    return interval === "month" ? `${year}-${month}` : `${year}-${month}-${day}`;
  });
}

/** Every hour is asked, because days with a change of the clock are shorter or longer. */
function labelsBetween(from: number, to: number, labelOf: LabelOf): readonly string[] {
  const labels = new Set<string>();
  for (let hour = from; hour < to; hour += hourMs) labels.add(labelOf(hour));
  return [...labels];
}

interface Intervals<Numbers> {
  readonly labels: readonly string[];
  readonly labelOf: LabelOf;
  readonly add: (rows: readonly StatChange[]) => Numbers;
}

function pointsOf<Numbers>(
  rows: readonly StatChange[],
  { labels, labelOf, add }: Intervals<Numbers>,
): readonly (Numbers & { readonly start: string })[] {
  const byLabel = new Map<string, StatChange[]>(labels.map((label) => [label, []]));
  for (const row of rows) byLabel.get(labelOf(row.hour))?.push(row);
  return [...byLabel].map(([start, ofLabel]) => ({ start, ...add(ofLabel) }));
}

/** Adds up the numbers of one kind. */
const totalsOf =
  (rows: readonly StatChange[]) =>
  (kind: StatKind, field: "count" | "amount"): number =>
    rows.reduce((added, row) => (row.kind === kind ? added + row[field] : added), 0);

function sumSessions(rows: readonly StatChange[]): SessionNumbers {
  const total = totalsOf(rows);
  const created = total("session_created", "count");
  const completed = total("session_completed", "count");
  return { created, completed, conversion: created === 0 ? null : completed / created };
}

function sumDeliveries(rows: readonly StatChange[]): DeliveryNumbers {
  const total = totalsOf(rows);
  const succeeded = total("delivery_succeeded", "count");
  const failed = total("delivery_failed", "count");
  return { attempts: succeeded + failed, succeeded, failed };
}

function sum(rows: readonly StatChange[]): StatsNumbers {
  const total = totalsOf(rows);
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
