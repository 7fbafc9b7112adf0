import { z } from "zod";
import { fold } from "../domain/fold.ts";
import { parseUrl } from "../domain/parse-url.ts";
import { isCleanText } from "../domain/plain.ts";

// The kinds of field that several of the owner's inputs share.

const unclean = "holds a character that is not accepted (NUL or half of a surrogate pair)";

/** Text that is safe in every storage and says something. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(isCleanText, unclean)
    .refine((value) => value.trim() !== "", "must not be blank");
export const optionalText = (max: number) => text(max).nullish();

export const slug = z
  .string()
  .regex(/^[a-z0-9-]{1,100}$/, "must be 1 to 100 characters of a-z, 0-9 and -");
export const money = z.int().min(0);
export const position = z.int().min(-1_000_000_000).max(1_000_000_000);

/** An id that the host chooses itself: with its prefix, so that it can never be taken for a slug. */
export const ownId = (prefix: string) =>
  z
    .string()
    .max(255)
    .regex(
      new RegExp(`^${prefix}_[A-Za-z0-9_-]+$`),
      `must begin with ${prefix}_, followed by letters, digits, _ and -`,
    );
export const foreignId = text(255);

export const email = z
  .string()
  .max(254)
  .regex(/^[^\s@<>(),;:"\\[\]\p{Cc}]+@[^\s@<>(),;:"\\[\]\p{Cc}]+$/u, "must be an e-mail address")
  .refine(isCleanText, unclean);

/** `javascript:` and the like never reach a page: absolute http(s) only. */
export const webUrl = z
  .string()
  .max(2048)
  .refine(isCleanText, unclean)
  .refine(isWebUrl, "must be an absolute http or https URL");
/** Pictures may also be root-relative, for hosts that serve them beside the shop. */
export const pictureUrl = z
  .string()
  .max(2048)
  .refine(isCleanText, unclean)
  .refine(
    (value) => isRootPath(value) || isWebUrl(value),
    "must be an absolute http or https URL, or a path that begins with one /",
  );

const forbidden = /[\s\\\p{Cc}]/u;
const isRootPath = (value: string): boolean => /^\/(?!\/)/.test(value) && !forbidden.test(value);

function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(value) && !forbidden.test(value) && parseUrl(value) !== null;
}

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code of three capital letters")
  .refine(isCurrency, "is not an ISO 4217 currency");

const currencies: ReadonlySet<string> = new Set(
  "supportedValuesOf" in Intl ? Intl.supportedValuesOf("currency") : [],
);
function isCurrency(code: string): boolean {
  return currencies.size === 0 || currencies.has(code);
}

export const country = z
  .string()
  .refine(isCountry, "must be an ISO 3166 country code of two capital letters");

/** Made at first use: it is dear, and most processes never create a store. */
let regionNames: Intl.DisplayNames | null | undefined;
/** Codes that name no country although the runtime has a name for them. */
const noCountries: ReadonlySet<string> = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);
function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || noCountries.has(code)) return false;
  regionNames ??=
    "DisplayNames" in Intl
      ? new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
      : null;
  const namesRegions = regionNames?.of("BR") !== undefined;
  return !namesRegions || regionNames?.of(code) !== undefined;
}

export const locale = z
  .string()
  .max(100)
  .refine((value) => canonicalLocale(value) !== null, "must be a BCP 47 language tag")
  .transform((value) => canonicalLocale(value) ?? value);

function canonicalLocale(value: string): string | null {
  try {
    return new Intl.Locale(value).toString();
  } catch {
    return null;
  }
}

export const timezone = z.string().max(100).refine(isTimezone, "must be an IANA time zone");

function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) !== null;
  } catch {
    return false;
  }
}

/** A moment as hosts hold it. Text must name its offset: without one the moment would depend on the machine. */
export const moment = z
  .custom<Date | string | number>(
    (value) => momentOf(value) !== null,
    "must be a Date, milliseconds since 1970, or ISO 8601 text with seconds and an offset",
  )
  .transform((value) => momentOf(value) ?? 0);

const isoWithOffset = z.iso.datetime({ offset: true });
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
function momentOf(value: unknown): number | null {
  const time =
    value instanceof Date ? value.getTime() : typeof value === "string" ? parseIso(value) : value;
  return typeof time === "number" && Number.isInteger(time) && time >= 0 && time <= lastMoment
    ? time
    : null;
}

/** Date.parse alone takes the 30th of February for a day of March. */
function parseIso(value: string): number | null {
  return isoWithOffset.safeParse(value).success ? Date.parse(value) : null;
}

/** CONTRACT 4: percentages above 0 to 100 with at most two decimals, fixed amounts in whole minor units. */
export function discountFault(discount: {
  readonly discount_type: "percentage" | "fixed";
  readonly discount_amount: number;
}): string | null {
  const { discount_type, discount_amount } = discount;
  if (discount_type === "fixed") {
    return Number.isSafeInteger(discount_amount) && discount_amount > 0
      ? null
      : "must be a positive whole number of minor units";
  }
  const exact = /^\d{1,3}(\.\d{1,2})?$/.test(String(discount_amount));
  return exact && discount_amount > 0 && discount_amount <= 100
    ? null
    : "must be above 0 and at most 100, with at most two decimals";
}

/** `Café da Manhã` → `cafe-da-manha`; null when the name has no letter or digit that a slug can hold. */
export function slugOf(name: string): string | null {
  const words = fold(name)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replace(/^-|-$/g, "");
  return words === "" ? null : words;
}

/** A generated slug that another row has already is made its own by the end of the id. */
export function ownSlug(base: string | null, id: string): string {
  const tail = id
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-8)
    .toLowerCase();
  return `${(base ?? "item").slice(0, 90)}-${tail}`;
}
