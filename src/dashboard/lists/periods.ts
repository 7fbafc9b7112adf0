import { dayMs, floorTo, hourMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import type { OwnerStats, StatsPoint } from "../../owner/stats/stats.ts";
import type { StatsNumbers } from "../../owner/stats/stats-numbers.ts";
import { localTime, readLocalTime } from "../format.ts";

/** A reader chooses one of these lengths of a period, in days. */
export const periodLengths = [7, 30, 90] as const;

/** Reads the length that an address asks for. Any other text gives 30 days. */
export const readLength = (text: string | null): number =>
  periodLengths.find((length) => String(length) === text) ?? 30;

/** `owner.stats` gives 400 days at most, of this period and the one before it. */
export const longestPeriod = 199;

/** The last day of a period, and how many days it and the one before it have. */
export interface DaySpan {
  readonly length: number;
  readonly end: string;
  readonly before: number;
}

/** Gives the first and the last day of a month, `back` months before the one of a day. */
export function monthOf(day: string, back: number): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const first = Date.UTC(year, month - 1 - back, 1);
  const next = Date.UTC(year, month - back, 1);
  return { from: iso(first).slice(0, 10), to: iso(next - dayMs).slice(0, 10) };
}

const todayIn = (timezone: string, now: number): string =>
  localTime(iso(now), timezone).slice(0, 10);

/** Lists the present month and some of those before it, in the store's days. */
export const monthsUntil = (now: number, timezone: string, count: number) => {
  const today = todayIn(timezone, now);
  return Array.from({ length: count }, (_, back) => monthOf(today, back));
};

const lengthOf = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Counts the days before to compare with: a whole month has the month before, others as many. */
function lengthBefore(from: string, end: string): number {
  const month = monthOf(from, 0);
  const isMonth = month.from === from && month.to === end;
  const before = monthOf(from, 1);
  return isMonth ? lengthOf(before.from, before.to) : lengthOf(from, end);
}

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Reads the days that an address asks for, both included. Null for none, and for too many. */
export function readSpan(query: URLSearchParams, now: number, timezone: string): DaySpan | null {
  const [from, to] = [query.get("from"), query.get("to")];
  if (!isDay(from) || !isDay(to)) return null;
  const today = todayIn(timezone, now);
  const end = to > today ? today : to;
  const length = lengthOf(from, end);
  if (length < 1 || length > longestPeriod) return null;
  return { length, end, before: lengthBefore(from, end) };
}

/**
 * A period that ends today or on another day, and the one before it. Days are those of the store's
 * zone.
 */
export interface Periods {
  /** The days are written as `2026-01-31`, the oldest first. */
  readonly days: readonly string[];
  readonly before: readonly string[];
  /** The period before begins at this hour (ISO 8601 UTC). */
  readonly from: string;
  /** The period begins at this hour, where the one before ends (ISO 8601 UTC). */
  readonly middle: string;
  /** The end of the current hour, or of the last day (ISO 8601 UTC). */
  readonly to: string;
}

export function periodsOf(
  now: number,
  timezone: string,
  length: number,
  span: Pick<DaySpan, "end" | "before"> | null = null,
): Periods {
  const today = todayIn(timezone, now);
  const { end: last, before } = span ?? { end: today, before: length };
  const all = before + length;
  const days = Array.from({ length: all }, (_, index) =>
    iso(Date.parse(last) - (all - 1 - index) * dayMs).slice(0, 10),
  );
  const from = readLocalTime(`${days[0]}T00:00`, timezone) ?? now - all * dayMs;
  const middle = readLocalTime(`${days[before]}T00:00`, timezone) ?? now - length * dayMs;
  const thisHour = floorTo(hourMs, now) + hourMs;
  const next = iso(Date.parse(last) + dayMs).slice(0, 10);
  const until = last < today ? readLocalTime(`${next}T00:00`, timezone) : null;
  return {
    days: days.slice(before),
    before: days.slice(0, before),
    from: iso(firstHour(from)),
    middle: iso(firstHour(middle)),
    to: iso(firstHour(until ?? thisHour)),
  };
}

/**
 * Gives the first hour that begins at the time or after it. A midnight may be within an hour, which
 * then counts for the day in which it begins.
 */
export const firstHour = (time: number): number => Math.ceil(time / hourMs) * hourMs;

/** Gives the spans that `owner.sales` compares. */
export const salesSpan = ({ from, middle, to }: Periods) => ({
  compare_from: from,
  from: middle,
  to,
});

const noNumbers: StatsNumbers = {
  orders_paid: 0,
  amount_gross: 0,
  amount_refunded: 0,
  disputes_lost: 0,
  amount_disputes_lost: 0,
  amount_net: 0,
  fees_told: 0,
  amount_fees: 0,
  amount_after_fees: 0,
  payments_failed: 0,
  orders_by_agents: 0,
  amount_by_agents: 0,
  by_method: [],
};

/** The numbers of one day. */
export interface DayNumbers extends StatsPoint {
  readonly sessions: number;
  /** The day's sessions that were paid, on whatever day the payment came. */
  readonly sessions_paid: number;
}

/** Gives the numbers of these days in a currency, with zeros where nothing was counted. */
export function pointsOf(
  { currencies, sessions }: OwnerStats,
  currency: string,
  days: readonly string[],
): readonly DayNumbers[] {
  const series = currencies.find((each) => each.currency === currency)?.series ?? [];
  const byDay = new Map(series.map((point) => [point.start, point]));
  const sessionsByDay = new Map(sessions.series.map((point) => [point.start, point]));
  return days.map((start) => {
    const { created = 0, completed = 0 } = sessionsByDay.get(start) ?? {};
    const point = byDay.get(start) ?? { start, ...noNumbers };
    return { ...point, sessions: created, sessions_paid: completed };
  });
}
