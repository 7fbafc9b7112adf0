import { remember } from "../../domain/async/remember.ts";
import { dayMs, hourMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import { wallClock } from "../../domain/wall-clock.ts";

/** The numbers can be read by these lengths of time. */
export const statsIntervals = ["hour", "day", "month"] as const;

type Interval = (typeof statsIntervals)[number];
type LabelOf = (hour: number) => string;

/** Each visit of an overview names the same hours again. */
const maxHours = 2_000;

const clockOf = remember(100, (timeZone: string) =>
  remember(maxHours, (hour: number) => wallClock(hour, timeZone)),
);

/**
 * Makes a function that names the interval of a UTC hour. Where a zone differs from
 * UTC by a part of an hour, the hour belongs to the day in which it begins.
 */
function labeller(interval: Interval, timeZone: string): LabelOf {
  if (interval === "hour") return iso;

  const read = clockOf(timeZone);
  const length = interval === "month" ? "2026-01".length : "2026-01-31".length;
  return (hour) => read(hour).slice(0, length);
}

/** One interval: the hour at which it begins, and its name. */
export interface Span {
  readonly start: number;
  readonly label: string;
}

/**
 * The steps that look for the last hour of an interval, the longest first. The last of them is an
 * hour. To name an hour is slow: these steps name only three of a day's 24 hours.
 */
const stepsOf: Readonly<Record<Interval, readonly number[]>> = {
  hour: [hourMs],
  day: [dayMs - hourMs, hourMs],
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
  let label = labelOf(from);
  for (let start = from; start < to; start += hourMs) {
    spans.push({ start, label });

    let next = label;
    for (const step of stepsOf[interval])
      for (next = labelOf(start + step); next === label; next = labelOf(start + step))
        start += step;
    label = next;
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
