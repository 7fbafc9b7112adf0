import { remember } from "./async/remember.ts";

const maxZones = 100;

const formatOf = remember(
  maxZones,
  (timeZone: string) =>
    new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }),
);

/** What the format writes: month, day, year, and the time behind a comma. */
const written = /^(\d+)\D(\d+)\D(\d+)\D+(.+)$/;

/**
 * Gives what the clocks of a zone show at a time in epoch milliseconds: `2026-01-31T13:45:10`. One
 * text is read four times as fast as the list of its parts.
 */
export function wallClock(at: number, timeZone: string): string {
  const [, month, day, year = "", time] = written.exec(formatOf(timeZone).format(at)) ?? [];
  return `${year.padStart(4, "0")}-${month}-${day}T${time}`;
}
