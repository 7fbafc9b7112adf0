import { dayMs, hourMs, minuteMs } from "#core/domain/durations.ts";
import { end } from "./exit.ts";

/** Holds what a command was given. Names are those of the table, without dashes in front. */
export interface Input {
  argument(index: number): string | undefined;
  /** Gives the words of a last argument that takes several. */
  words(from: number): readonly string[];
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  flag(name: string): boolean;
  /** Reads a whole number from `least` on, to `most` where that is given. */
  number(name: string, least?: number, most?: number): number | undefined;
  /** Reads a time in ISO 8601, or an age such as `2h` or `3d`, as epoch milliseconds. */
  moment(name: string, now: number): number | undefined;
  /** Reads a time in ISO 8601, as epoch milliseconds. */
  time(name: string): number | undefined;
  /** Reads a span such as `2h` or `31d`, in milliseconds. */
  span(name: string): number | undefined;
}

type Values = Readonly<Record<string, unknown>>;

export function readInput(values: Values, given: readonly string[]): Input {
  const optionOf = (name: string): unknown => values[camel(name)];
  const text = (name: string): string | undefined => {
    const value = optionOf(name);
    return typeof value === "string" ? value : undefined;
  };

  return {
    argument: (index) => given[index],
    words: (from) => given.slice(from),
    text,
    list: (name) => [optionOf(name) ?? []].flat().map(String),
    flag: (name) => optionOf(name) === true,
    number(name, least = 0, most) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      const fits = number >= least && number <= (most ?? number);
      if (Number.isSafeInteger(number) && fits) return number;
      const range = most === undefined ? `${least}` : `${least} to ${most}`;
      return end("usage", `--${name} must be a whole number from ${range}.`);
    },
    moment(name, now) {
      const value = text(name);
      return value === undefined ? undefined : momentOf(name, value, now);
    },
    time(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      return (
        timeOf(value) ?? end("usage", `--${name} must be a time such as 2027-01-31T12:00:00Z.`)
      );
    },
    span(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      return spanOf(value) ?? end("usage", `--${name} must be a span such as 2h or 31d.`);
    },
  };
}

const camel = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const unitMs = { s: 1_000, m: minuteMs, h: hourMs, d: dayMs } as const;

function spanOf(value: string): number | null {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  return unit === undefined ? null : Number(count) * unitMs[unit as keyof typeof unitMs];
}

function momentOf(name: string, value: string, now: number): number {
  const span = spanOf(value);
  if (span !== null) return now - span;

  return (
    timeOf(value) ??
    end("usage", `--${name} must be an age such as 2h, or a time such as 2026-01-31T12:00:00Z.`)
  );
}

function timeOf(value: string): number | null {
  const time = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
