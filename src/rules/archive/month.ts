import { hourMs } from "../../domain/durations.ts";
import { timeOfId } from "../../domain/keys/ids.ts";
import { iso } from "../../domain/text/iso.ts";
import type { Partition, StoreRecord } from "../records.ts";

/** A month of a store and mode. */
export interface MonthOf extends Partition {
  /** In UTC, such as `2019-03`. */
  readonly month: string;
}

/** Gives the month of a time in UTC, such as `2019-03`. */
export const monthOf = (time: number): string => iso(time).slice(0, 7);

/** A month in UTC, in epoch milliseconds. */
export interface MonthRange {
  readonly from: number;
  /** The first millisecond after the month. */
  readonly to: number;
}

/** Gives the range of a month, moved by whole months. Null for a text that names no month. */
export function rangeOfMonth(month: string, moved = 0): MonthRange | null {
  const [, year, name] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined || name === undefined) return null;

  const index = Number(name) - 1 + moved;
  return { from: Date.UTC(Number(year), index), to: Date.UTC(Number(year), index + 1) };
}

/**
 * Gives the months in which the order of an id can have been made. The id is made a moment before
 * the order. Empty for an id of another layout.
 */
export function monthsOfOrder(order_id: string): readonly string[] {
  const time = timeOfId("ord", order_id);
  if (time === null) return [];
  return [...new Set([time, time + hourMs].map(monthOf))];
}

/** Gives the month of which the store has moved orders out, and of which this one may be. */
export function archivedMonthOf(
  { archive }: Pick<StoreRecord, "archive">,
  { livemode }: Pick<Partition, "livemode">,
  order_id: string,
): string | null {
  const moved = archive?.[livemode ? "live" : "test"] ?? [];
  return monthsOfOrder(order_id).find((month) => moved.includes(month)) ?? null;
}
