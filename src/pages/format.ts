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
  const [locale, currency = "XXX"] = key.split(separator);
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 };
});

/** Formats minor units, e.g. `R$ 98,00`. */
export function formatAmount(amount: number, currency: string, locale: string): string {
  const { format, digits } = amountFormat([locale, currency].join(separator));

  // The number is passed as text, because a division would round large amounts.
  const text = String(amount).padStart(digits + 1, "0");
  const point = text.length - digits;
  const decimal = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return format.format(decimal as `${number}`);
}

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
