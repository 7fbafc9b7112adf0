import { remember } from "../../domain/async/remember.ts";
import { minuteMs } from "../../domain/durations.ts";
import { createMoneyFormat } from "../../domain/money.ts";

/** Intl's formats take 20 to 50 µs to create, and a deployment uses only a few of them. */
const maxFormats = 200;

/** A format takes some 10 µs for one text, and pages show the same few texts again. */
const maxTexts = 500;

const separator = "|";

const amountFormat = remember(maxFormats, (key: string) => {
  const [locale = "en", currency = "XXX"] = key.split(separator);
  return remember(maxTexts, createMoneyFormat(currency, { locale }));
});

/** Formats minor units, e.g. `R$ 98,00`. */
export const formatAmount = (amount: number, currency: string, locale: string): string =>
  amountFormat([locale, currency].join(separator))(amount);

const momentFormat = remember(maxFormats, (key: string) => {
  const [locale, timeZone, kind] = key.split(separator);
  // The short name of a zone is `GMT-3` in most languages, which tells a buyer nothing.
  const time = { hour: "numeric", minute: "2-digit", timeZoneName: "shortGeneric" } as const;
  const date = { day: "numeric", month: "long" } as const;
  const year = { year: "numeric" } as const;
  const style = {
    timeZone,
    ...date,
    ...(kind === "time" ? time : {}),
    ...(kind === "date" ? year : {}),
  };
  const format = new Intl.DateTimeFormat(locale, style);
  return remember(maxTexts, (minute: number) => format.format(minute * minuteMs));
});

/** Says in which language and time zone a reader is told of times. */
export interface TimeStyle {
  readonly locale: string;
  /** The store's own time zone, by its IANA name. */
  readonly timezone: string;
}

/** Formats epoch milliseconds as day and time, e.g. `15 de janeiro às 14:30 BRT`. */
export const formatTime = (time: number, { locale, timezone }: TimeStyle): string =>
  momentFormat([locale, timezone, "time"].join(separator))(Math.floor(time / minuteMs));

/** Formats epoch milliseconds as a day. */
export const formatDay = (time: number, { locale, timezone }: TimeStyle): string =>
  momentFormat([locale, timezone, "day"].join(separator))(Math.floor(time / minuteMs));

/** Formats epoch milliseconds as a day of its year. */
export const formatDate = (time: number, { locale, timezone }: TimeStyle): string =>
  momentFormat([locale, timezone, "date"].join(separator))(Math.floor(time / minuteMs));
