import { dayMs } from "#core/domain/durations.ts";

/**
 * Reads a time of the bank (RFC 3339) as epoch milliseconds, and gives NaN for
 * anything else. A time without a zone is not accepted, because it would be read in
 * the zone of this machine, hours away from the bank's.
 */
export const readTime = (text: unknown): number =>
  typeof text === "string" && /T.*(?:Z|[+-]\d{2}:\d{2})$/i.test(text)
    ? Date.parse(text)
    : Number.NaN;

/** Formats days of Brasília, by which Pix counts. Swedish dates have the form of the API. */
const brasilia = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" });

/** Gives the date of a time as the API writes it: `2026-02-01`. */
export const dateOf = (time: number): string => brasilia.format(time);

/** Gives the date that is a number of days after another one. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Gives a time at which a day of Brasília is surely over: noon of the day after it. */
export const afterDay = (date: string): number =>
  Date.parse(`${daysAfter(date, 1)}T12:00:00-03:00`);
