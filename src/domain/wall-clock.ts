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

/** Gives what the clocks of a zone show at a time in epoch milliseconds: `2026-01-31T13:45:10`. */
export function wallClock(at: number, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  return `${day}T${part("hour")}:${part("minute")}:${part("second")}`;
}
