type Interval = "day" | "week" | "month" | "year";

const dayMs = 86_400_000;

/**
 * Start of the `count`-th period after `anchor` (epoch milliseconds, UTC). Months keep the anchor's day and clamp to the month's last:
 * 31 January → 28 February → 31 March. Always counted from the anchor, never from the period before.
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
  const months =
    from.getUTCFullYear() * 12 + from.getUTCMonth() + (interval === "year" ? steps * 12 : steps);
  const [year, month] = [Math.floor(months / 12), months % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (anchor % dayMs);
}
