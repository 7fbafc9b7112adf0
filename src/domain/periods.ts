import { dayMs } from "./durations.ts";

type Interval = "day" | "week" | "month" | "year";

/**
 * Returns the start of the `count`-th period after `anchor`; both are epoch
 * milliseconds, and days are UTC days. A month keeps the anchor's day, or takes its
 * own last day when it is shorter: 31 January, 28 February, 31 March. That is why
 * periods are counted from the anchor, and never from the period before.
 */
export function periodStart(
  anchor: number,
  interval: Interval,
  interval_count: number,
  count: number,
): number {
  const steps = interval_count * count;
  if (interval === "day") return anchor + steps * dayMs;
  if (interval === "week") return anchor + steps * 7 * dayMs;

  const from = new Date(anchor);
  const addedMonths = interval === "year" ? steps * 12 : steps;
  const months = from.getUTCFullYear() * 12 + from.getUTCMonth() + addedMonths;
  const year = Math.floor(months / 12);
  const month = months % 12;

  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (anchor % dayMs);
}
