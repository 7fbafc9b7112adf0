import { type Html, html } from "../contract/html.ts";
import { remember } from "../domain/async/remember.ts";
import { decimalMoney } from "../domain/decimal-money.ts";
import { dayMs } from "../domain/durations.ts";
import { numberSigns } from "../domain/text/number-signs.ts";
import { wallClock } from "../domain/wall-clock.ts";
import { formatAmount } from "../pages/texts/format.ts";
import type { StoreVisit } from "./screen.ts";

const maxFormats = 100;

const dateFormat = remember(maxFormats, (key: string) => {
  const [locale = "en", timeZone = "UTC"] = key.split("|");
  return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "medium", timeStyle: "short" });
});

/** Writes a time as the store's people say it, with UTC for whoever points at it or tabs to it. */
export function timeTag({ language, store }: StoreVisit, iso: string): Html {
  const time = dateFormat(`${language.locale}|${store.timezone}`).format(Date.parse(iso));
  const utc = `${iso.slice(0, 19).replace("T", " ")} UTC`;
  return html`<time datetime="${iso}" title="${utc}" data-utc="${utc}" tabindex="0">${time}</time>`;
}

/** Writes the amount with its currency's sign, e.g. `R$ 98,00`. */
export const amountText = ({ language }: StoreVisit, amount: number, currency: string): string =>
  formatAmount(amount, currency, language.locale);

const shortFormat = remember(maxFormats, (key: string) => {
  const [locale = "en", currency = "XXX"] = key.split("|");
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    notation: "compact",
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  });
});

/** Writes an amount that is not negative in few letters, for a chart's scale: `R$ 1,5 mil`. */
export const shortAmount = ({ language }: StoreVisit, amount: number, currency: string): string =>
  shortFormat(`${language.locale}|${currency}`).format(Number(decimalMoney(amount, currency)));

const wholeFormat = remember(maxFormats, (locale: string) => new Intl.NumberFormat(locale));

export const countText = ({ language }: StoreVisit, count: number): string =>
  wholeFormat(language.locale).format(count);

const changeFormat = remember(
  maxFormats,
  (locale: string) =>
    new Intl.NumberFormat(locale, {
      style: "percent",
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
    }),
);

/** Writes a change as a percentage of the earlier value, with its sign: 0.124 is `+12.4%`. */
export const changeText = ({ language }: StoreVisit, change: number): string =>
  changeFormat(language.locale).format(change);

const pointsFormat = remember(
  maxFormats,
  (locale: string) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: "exceptZero" }),
);

/** Writes the difference of two shares in percentage points, with its sign: 0.024 is `+2.4`. */
export const pointsText = ({ language }: StoreVisit, difference: number): string =>
  pointsFormat(language.locale).format(difference * 100);

const shareFormat = remember(
  maxFormats,
  (locale: string) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }),
);

/** Writes a share from 0 to 1 as a percentage: 0.124 is `12.4%`. */
export const shareText = ({ language }: StoreVisit, share: number): string =>
  shareFormat(language.locale).format(share);

const percentFormat = remember(
  maxFormats,
  (locale: string) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }),
);

/** Writes a percentage with at most two decimals: 12.5 is `12.5%`. */
export const percentText = ({ language }: StoreVisit, percentage: number): string =>
  percentFormat(language.locale).format(percentage / 100);

/** The overview writes each of its days several times, and a format takes longer than a look-up. */
const maxDays = 500;

const dayFormat = remember(maxFormats, (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
  });
  return remember(maxDays, (day: string) => format.format(Date.parse(day)));
});

/** Writes a day such as `2026-01-31` in the words of the reader's language. */
export const dayText = ({ language }: StoreVisit, day: string): string =>
  day === "" ? "" : dayFormat(language.locale)(day);

const monthFormat = remember(
  maxFormats,
  (locale: string) =>
    new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "long", year: "numeric" }),
);

/** Writes the month of a day such as `2026-01-31` in the words of the reader's language. */
export const monthText = ({ language }: StoreVisit, day: string): string =>
  monthFormat(language.locale).format(Date.parse(day));

/** Writes the first letter of a text as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface NamedVariation {
  readonly name: string;
  readonly options?: readonly { readonly value: string }[] | undefined;
}

/** Tells a variation from the others of its product by its options. */
export const fullName = ({ name, options = [] }: NamedVariation): string =>
  [name, ...options.map(({ value }) => value)].join(" · ");

/**
 * Reads a number as its reader writes it, into one with a point: `1.234,50` is
 * `1234.50` in Portuguese. A lone point or comma that no group of three digits
 * follows is a decimal one, whatever the language, and so is the last sign of a number
 * that has both. Gives null for any other text.
 */
export function plainNumber(text: string, locale: string): string | null {
  const typed = text.replace(/[\s\u00a0\u202f]/g, "");
  const { decimal } = numberSigns(locale);
  // With both signs the last one is the decimal one, in whatever language it was written.
  const both = /^(\d{1,3}(?:([.,])\d{3})+)(?!\2)[.,](\d+)$/.exec(typed);
  if (both) return `${both[1]?.replace(/[.,]/g, "")}.${both[3]}`;
  const lone = /^(\d+)[.,](\d{1,2}|\d{4,})$/.exec(typed);
  if (lone) return `${lone[1]}.${lone[2]}`;

  const [whole = "", fraction, ...rest] = typed.split(decimal);
  if (rest.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null;
  const group = decimal === "," ? "." : ",";
  const isGrouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+$`).test(whole);
  const digits = isGrouped ? whole.replaceAll(group, "") : whole;
  if (!/^\d+$/.test(digits)) return null;
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** Writes a plain number for a field: with the reader's decimal sign and no groups. */
export const typedNumber = (plain: string, locale: string): string =>
  plain.replace(".", numberSigns(locale).decimal);

/** Gives the milliseconds by which a zone is ahead of UTC at a time. */
const offsetOf = (time: number, timeZone: string): number =>
  Date.parse(`${wallClock(time, timeZone)}Z`) - Math.floor(time / 1_000) * 1_000;

/**
 * Reads what a field of date and time gives, in the store's zone, as epoch milliseconds.
 * Where the clocks are turned back, it is the first of the two times. A time that the
 * clocks skip is read as if they were not changed yet: it is one after the change.
 */
export function readLocalTime(text: string, timeZone: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return null;

  // No zone is a day away from UTC, so these times lie before and after the one that is looked for.
  const before = offsetOf(wall - dayMs, timeZone);
  const after = offsetOf(wall + dayMs, timeZone);
  const offset = [before, after].find((each) => offsetOf(wall - each, timeZone) === each);
  return wall - (offset ?? before);
}

/** Writes an ISO time for a field of date and time, in the store's zone. */
export function localTime(iso: string, timeZone: string): string {
  const time = Date.parse(iso);
  return new Date(time + offsetOf(time, timeZone)).toISOString().slice(0, 16);
}
