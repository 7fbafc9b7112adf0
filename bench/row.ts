import type { Measured } from "./measure.ts";

/** The results of one work that several sides did in the same run. */
export interface Row {
  readonly work: string;
  readonly unit: "per second" | "per CPU second" | "ms" | "MB" | "bytes" | "%";
  readonly values: Readonly<Record<string, number>>;
  /** The least and the most of each side, where a side was measured in several rounds. */
  readonly ranges?: Measured["ranges"];
  /** The other sides are given as a ratio to this side. */
  readonly base: string;
  readonly targets?: readonly Target[];
  readonly note?: string;
  /** The values are one line of the plot of this name. */
  readonly plot?: { readonly name: string; readonly line: string };
}

/** A bound of the ratio to `base`, or of the value itself where there is no base. */
export interface Target {
  readonly side: string;
  readonly base?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Options {
  readonly seconds: number;
  readonly rounds: number;
  /** Growth and the dashboard go up to a million rows, and drains send 20,000 posts. */
  readonly large: boolean;
  /** Only the sides that a stranger asks about are measured. */
  readonly quick?: boolean;
  /** `cost` compares with this commit. */
  readonly base?: string | undefined;
}

export const atLeast = (side: string, factors: Readonly<Record<string, number>>): Target[] =>
  Object.entries(factors).map(([base, factor]) => ({ side, base, atLeast: factor }));

export const ratio = (row: Row, side: string, base = row.base): number =>
  (row.values[side] ?? 0) / (row.values[base] ?? Number.NaN);

/** Lists the sides with their values: the most first, or the least where less is better. */
export function bestFirst({ unit, values }: Row): (readonly [side: string, value: number])[] {
  const isMore = unit.startsWith("per") || unit === "%";
  return Object.entries(values).sort(([, a], [, b]) => (isMore ? b - a : a - b));
}

export interface Verdict {
  readonly work: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

export function verdicts(row: Row): Verdict[] {
  return (row.targets ?? []).map(({ side, base, atLeast, atMost }) => {
    const value = base === undefined ? (row.values[side] ?? Number.NaN) : ratio(row, side, base);
    const bound =
      atLeast === undefined ? `≤ ${number(atMost ?? Number.NaN)}` : `≥ ${number(atLeast)}`;
    const met =
      value >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
      value <= (atMost ?? Number.POSITIVE_INFINITY);
    return {
      work: `${row.work}: ${side}`,
      target: base === undefined ? `${bound} ${row.unit}` : `${bound} × ${base}`,
      measured: number(value),
      met,
    };
  });
}

export const number = (value: number): string =>
  value.toLocaleString(
    "en",
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  );

/** Lists our ratios that got worse by more than a fifth. */
export function regressions(rows: readonly Row[], before: readonly Row[]): string[] {
  const known = new Map(before.map((row) => [row.work, row]));
  return rows.flatMap((row) => {
    const old = known.get(row.work);
    if (!old) return [];
    const sides = Object.keys(row.values).filter(
      (side) => (row.plot || side.startsWith("vitrine")) && side !== row.base && side in old.values,
    );
    const smallerIsBetter = !row.unit.startsWith("per");
    return sides.flatMap((side) => {
      const change = ratio(row, side) / ratio(old, side);
      const worse = smallerIsBetter ? change > 1.2 : change < 0.8;
      return worse
        ? [
            `${row.work}, ${side}: ${number(ratio(old, side))} → ${number(ratio(row, side))} × ${row.base}`,
          ]
        : [];
    });
  });
}
