import { remember } from "../domain/remember.ts";
import { iso } from "../rules/render.ts";
import { hourMs } from "../rules/stats.ts";

/** The lengths of time by which the numbers can be read. */
export const statsIntervals = ["hour", "day", "month"] as const;

type Interval = (typeof statsIntervals)[number];
type LabelOf = (hour: number) => string;

const dateFormat = remember(
  100,
  (timeZone: string) =>
    new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }),
);

/**
 * Names the interval of a UTC hour. Where a zone differs from UTC by a part of an
 * hour, the hour belongs to the day in which it begins.
 */
function labeller(interval: Interval, timeZone: string): LabelOf {
  if (interval === "hour") return iso;

  const format = dateFormat(timeZone);
  return (hour) => {
    // The English format writes 01/31/2026. `formatToParts` would take three times as long.
    const [month, day, year] = format.format(hour).split("/");
    return interval === "month" ? `${year}-${month}` : `${year}-${month}-${day}`;
  };
}

/** One interval: the hour at which it begins, and its name. */
export interface Span {
  readonly start: number;
  readonly label: string;
}

const dayMs = 24 * hourMs;

/**
 * The steps that look for the last hour of an interval, the longest first. To name an hour
 * is slow: of a day with 24 hours, five are named.
 */
const stepsOf: Readonly<Record<Interval, readonly number[]>> = {
  hour: [],
  day: [dayMs, dayMs - hourMs, hourMs],
  month: [dayMs, hourMs],
};

interface Zone {
  readonly interval: Interval;
  readonly timeZone: string;
}

/** Lists the intervals from `from` to `to` in the days and months of a time zone. */
export function intervalsBetween(
  from: number,
  to: number,
  { interval, timeZone }: Zone,
): readonly Span[] {
  const labelOf = labeller(interval, timeZone);
  const spans: Span[] = [];
  for (let start = from; start < to; ) {
    const label = labelOf(start);
    spans.push({ start, label });

    for (const step of stepsOf[interval]) while (labelOf(start + step) === label) start += step;
    start += hourMs;
  }
  return spans;
}

/** Finds the interval of an hour: the last one that begins at it or before. */
export function indexOf(spans: readonly Span[], hour: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) <= hour) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
