import { dayMs, floorTo, hourMs } from "#core/domain/durations.ts";
import type { SalesRollup } from "./rollups.ts";

/** A span of time. `to` is not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Sales are kept for each of these lengths of time, so that a long span is a few rows. */
export type Unit = "hour" | "day" | "week";

const lengths: Readonly<Record<Unit, number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs };

/** A unit that is added up from a shorter one. */
interface SummedUnit {
  readonly unit: Unit;
  readonly of: Unit;
}

/** Lists the units that are added up, the shortest first. */
export const summedUnits: readonly SummedUnit[] = [
  { unit: "day", of: "hour" },
  { unit: "week", of: "day" },
];

/** Gives the beginning of the unit that a time lies in. Units are counted from 1970, in UTC. */
export const startOf = (unit: Unit, time: number): number => floorTo(lengths[unit], time);

const endOf = (unit: Unit, time: number): number => startOf(unit, time) + lengths[unit];

const nextStart = (unit: Unit, time: number): number => startOf(unit, time + lengths[unit] - 1);

/** Gives the span of the units in which these times lie, as far as whole units are counted. */
export const wholeUnits = (unit: Unit, times: readonly number[], counted: SalesRollup): Span => ({
  from: Math.max(startOf(unit, Math.min(...times)), nextStart(unit, counted.counted_since)),
  to: Math.min(endOf(unit, Math.max(...times)), startOf(unit, counted.counted_until)),
});

/** A part of a span that is made of whole units. */
export interface Part extends Span {
  readonly unit: Unit;
}

/** Divides a span of whole hours into the longest units that fit in it. */
export function partsOf(
  { from, to }: Span,
  [unit = "hour", ...shorter]: readonly Unit[] = ["week", "day", "hour"],
): readonly Part[] {
  if (from >= to) return [];
  if (shorter.length === 0) return [{ unit, from, to }];

  const first = nextStart(unit, from);
  const last = startOf(unit, to);
  if (first >= last) return partsOf({ from, to }, shorter);
  return [
    ...partsOf({ from, to: first }, shorter),
    { unit, from: first, to: last },
    ...partsOf({ from: last, to }, shorter),
  ];
}
