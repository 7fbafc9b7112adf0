import { createMoneyFormat } from "../domain/money.ts";

/** Intl's formats take 20 to 50 µs to create, and a deployment uses only a few of them. */
const maxFormats = 200;

function cached<Format>(create: (key: string) => Format): (key: string) => Format {
  const formats = new Map<string, Format>();
  return (key) => {
    const known = formats.get(key);
    if (known) return known;

    if (formats.size >= maxFormats) formats.clear();
    const made = create(key);
    formats.set(key, made);
    return made;
  };
}

const separator = "|";

const amountFormat = cached((key) => {
  const [locale = "en", currency = "XXX"] = key.split(separator);
  return createMoneyFormat(currency, { locale });
});

/** Formats minor units, e.g. `R$ 98,00`. */
export const formatAmount = (amount: number, currency: string, locale: string): string =>
  amountFormat([locale, currency].join(separator))(amount);

const momentFormat = cached((key) => {
  const [locale, timeZone, kind] = key.split(separator);
  const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
  const date = { day: "numeric", month: "long" } as const;
  return new Intl.DateTimeFormat(locale, { timeZone, ...date, ...(kind === "time" ? time : {}) });
});

/** Where and how a reader is told of times. */
export interface TimeStyle {
  readonly locale: string;
  /** IANA: the store's own. */
  readonly timezone: string;
}

/** Formats epoch milliseconds as day and time, e.g. `15 de janeiro às 14:30 BRT`. */
export const formatTime = (time: number, { locale, timezone }: TimeStyle): string =>
  momentFormat([locale, timezone, "time"].join(separator)).format(time);

/** Formats epoch milliseconds as a day. */
export const formatDay = (time: number, { locale, timezone }: TimeStyle): string =>
  momentFormat([locale, timezone, "day"].join(separator)).format(time);
