import { z } from "zod";
import { hourMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, checkId, refuse } from "../../input/check.ts";
import { foreignId, moment, timezone } from "../../input/fields.ts";
import { type StatChange, startOfHour } from "../../rules/owner/stats.ts";
import type {
  CompleteFrom,
  CountedHours,
  StatsStore,
  StatsQuery as StoredQuery,
} from "../../storage/reads/stats-store.ts";
import { type OwnerContext, requireStore } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { indexOf, intervalsBetween, type Span, statsIntervals } from "./stats-intervals.ts";
import {
  type DeliveryNumbers,
  type SessionNumbers,
  type StatsNumbers,
  sum,
  sumDeliveries,
  sumSessions,
} from "./stats-numbers.ts";

const StatsQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  from: moment,
  to: moment,
  interval: z.enum(statsIntervals),
  timezone: timezone.optional(),
});
/**
 * Selects the numbers of a span of time. `from` and `to` are rounded down to the
 * hour. `to` is not included, and lies at most 400 days after `from`. Days and months are
 * those of `timezone`, an IANA name. Without it they are those of the store's time zone.
 */
export interface StatsQuery extends z.input<typeof StatsQuery> {}
type Interval = StatsQuery["interval"];

/** The numbers of one hour, day or month. */
export interface StatsPoint extends StatsNumbers {
  /**
   * The hour as `2026-01-31T13:00:00.000Z`, the day as `2026-01-31` or the
   * month as `2026-01`. Day and month are those of `timezone` of the answer.
   */
  readonly start: string;
}

/** The numbers of sessions of one interval. */
export interface SessionPoint extends SessionNumbers {
  /** The same as in `StatsPoint`. */
  readonly start: string;
}

/** The numbers of attempts of one interval. */
export interface DeliveryPoint extends DeliveryNumbers {
  /** The same as in `StatsPoint`. */
  readonly start: string;
}

/** The numbers of a store: orders, money and failures over time. */
export interface OwnerStats {
  readonly interval: Interval;
  /** The time zone of the days and months. */
  readonly timezone: string;
  /** A time in ISO 8601, in UTC. */
  readonly from: string;
  /** A time in ISO 8601, in UTC. */
  readonly to: string;
  /**
   * The time from which on the numbers are complete, in ISO 8601, in UTC. Orders of an older
   * version are not yet counted before it. The time moves back while `runMaintenance` counts them.
   * Null means that all are counted.
   */
  readonly complete_from: string | null;
  /** Only the currencies in which something was counted, by their codes. */
  readonly currencies: readonly {
    readonly currency: string;
    readonly totals: StatsNumbers;
    /**
     * A point for every interval, the oldest first, also where nothing
     * happened.
     */
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

export const longestMs = 400 * 24 * hourMs;

export async function readStats(ctx: OwnerContext, input: StatsQuery): Promise<OwnerStats> {
  const query = check(StatsQuery, input);
  const store_id = checkId("store_id", query.store_id);
  const { livemode, interval } = query;
  const from = startOfHour(query.from);
  const to = startOfHour(query.to);
  if (to <= from) return refuse("to", "must be at least an hour after from");
  if (to - from > longestMs) return refuse("to", "must be at most 400 days after from");

  const timeZone = await timezoneOf(ctx, store_id, query.timezone);
  const intervals = intervalsBetween(from, to, { interval, timeZone });
  const starts = intervals.map(({ start }) => start);
  const range = { store_id, livemode, from, to };
  // When the intervals are hours, there is nothing to add up.
  const { rows, complete_from } = await (interval === "hour"
    ? ctx.storage.stats.listHours(range)
    : listHalves(ctx.storage.stats, { ...range, starts }));
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  const seriesOf = <Numbers>(
    ofSeries: readonly StatChange[],
    add: (rows: readonly StatChange[]) => Numbers,
  ) => ({ totals: add(ofSeries), series: pointsOf(ofSeries, intervals, add) });

  return {
    interval,
    timezone: timeZone,
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

async function timezoneOf(
  ctx: OwnerContext,
  store_id: string,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) {
    await requireKnownStore(ctx, store_id);
    return given;
  }

  return (await requireStore(ctx, store_id)).timezone;
}

const atOnceMs = 31 * 24 * hourMs;

/**
 * Lists the hours of a long range in two halves at the same time. To add up the hours of
 * half a year is the longest work of an overview, and a database has several processors.
 * Each hour is in one half.
 */
async function listHalves(
  store: StatsStore,
  range: StoredQuery & { readonly starts: readonly number[] },
): Promise<CountedHours> {
  const { from, to, starts } = range;
  const half = Math.floor(starts.length / 2);
  const middle = starts[half];
  if (to - from <= atOnceMs || half === 0 || middle === undefined) return store.listHours(range);

  const [older, newer] = await Promise.all([
    store.listHours({ ...range, to: middle, starts: starts.slice(0, half) }),
    store.listHours({ ...range, from: middle, starts: starts.slice(half) }),
  ]);
  return {
    rows: [...older.rows, ...newer.rows],
    complete_from: latestOf(older.complete_from, newer.complete_from),
  };
}

/** Both halves are complete from the later time on. */
function latestOf(a: CompleteFrom, b: CompleteFrom): CompleteFrom {
  const latest = (name: keyof CompleteFrom): number | null =>
    a[name] === null && b[name] === null ? null : Math.max(a[name] ?? 0, b[name] ?? 0);
  return {
    orders: latest("orders"),
    sessions: latest("sessions"),
    deliveries: latest("deliveries"),
  };
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

/** Adds up the rows of each interval. A row belongs to the last interval that begins before it. */
function pointsOf<Numbers>(
  rows: readonly StatChange[],
  spans: readonly Span[],
  add: (rows: readonly StatChange[]) => Numbers,
): readonly (Numbers & { readonly start: string })[] {
  const bySpan = spans.map((): StatChange[] => []);
  for (const row of rows) bySpan[indexOf(spans, row.hour)]?.push(row);
  return spans.map(({ label }, index) => ({ start: label, ...add(bySpan[index] ?? []) }));
}
