import { dayMs } from "#core/domain/durations.ts";
import { periodStart } from "#core/domain/periods.ts";
import { daysAfter } from "../times.ts";
import type { Recurrence } from "./recurrences.ts";

// A bank takes one charge in each cycle of a recurrence. Cycles count from its first day, and the
// periods of a subscription begin on other days once it was paused.

const monthsOf: Readonly<Record<string, number>> = {
  MENSAL: 1,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
};

/** The days of a cycle: its first one, and that of the next cycle. */
export interface Cycle {
  readonly first: string;
  readonly next: string;
}

/** Gives the cycle that holds a day. Null when the bank does not show the recurrence's days. */
export function cycleOf({ calendario }: Recurrence, day: string): Cycle | null {
  const { dataInicial, periodicidade } = calendario ?? {};
  const months = monthsOf[String(periodicidade)];
  const anchor = Date.parse(String(dataInicial));
  const isKnown = months !== undefined || periodicidade === "SEMANAL";
  if (!isKnown || Number.isNaN(anchor)) return null;

  const firstOf = (count: number): string => {
    const start =
      months === undefined
        ? periodStart(anchor, "week", 1, count)
        : periodStart(anchor, "month", months, count);
    return new Date(start).toISOString().slice(0, 10);
  };
  const longestMs = (months === undefined ? 7 : months * 31) * dayMs;
  let count = Math.floor((Date.parse(day) - anchor) / longestMs);
  while (firstOf(count + 1) <= day) count += 1;
  return { first: firstOf(count), next: firstOf(count + 1) };
}

/** Tells whether a day is in a cycle. */
export const isWithin = ({ first, next }: Cycle, day: string): boolean =>
  first <= day && day < next;

/** Gives the day from which on charges of a cycle may have been made. */
export const madeFrom = ({ first }: Cycle, mostDays: number): string =>
  daysAfter(first, -mostDays - 1);
