import { z } from "zod";
import { remember } from "../domain/async/remember.ts";
import { parseUrl } from "../domain/parse-url.ts";
import { fold } from "../domain/text/fold.ts";
import { emailPattern, isCleanText } from "../domain/text/plain.ts";

// Several inputs of the owner and the payment services share these field schemas.

const unclean = "holds a character that is not accepted (NUL or half of a surrogate pair)";

/** Refuses a text that a storage cannot hold, and a blank one. */
export const clean = <Text extends z.ZodType<string>>(schema: Text) =>
  schema.refine(isCleanText, unclean).refine((value) => value.trim() !== "", "must not be blank");

/** Takes a text that every storage can hold and that is not blank. */
export const text = (max: number) => clean(z.string().max(max));
export const optionalText = (max: number) => text(max).nullish();

/** Takes the host's own name of a file that a product delivers. */
export const deliveredFile = text(1_000);

export const slug = z
  .string()
  .regex(/^[a-z0-9-]{1,100}$/, "must be 1 to 100 characters of a-z, 0-9 and -");
export const money = z.int().min(0);
export const position = z.int().min(-1_000_000_000).max(1_000_000_000);

/**
 * Takes an id of the host's own choice. It must have the prefix, so that it never
 * looks like a slug.
 */
export const ownId = (prefix: string) =>
  z
    .string()
    .max(255)
    .regex(
      new RegExp(`^${prefix}_[A-Za-z0-9_-]+$`),
      `must begin with ${prefix}_, followed by letters, digits, _ and -`,
    );
export const foreignId = text(255);

/** A page has at most 100 rows. */
export const pageSize = z.int().min(1).max(100);

export const email = z
  .string()
  .max(254)
  .regex(emailPattern, "must be an e-mail address")
  .refine(isCleanText, unclean);

/** Only absolute http(s) URLs pass: `javascript:` and the like must never reach a page. */
export const webUrl = z
  .string()
  .max(2048)
  .refine(isCleanText, unclean)
  .refine(isWebUrl, "must be an absolute http or https URL");

/**
 * The address of a picture may also be a root-relative path, for hosts that serve
 * it themselves.
 */
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

/** Every code passes on a runtime that cannot list the currencies. */
function isCurrency(code: string): boolean {
  return currencies.size === 0 || currencies.has(code);
}

export const country = z
  .string()
  .refine(isCountry, "must be an ISO 3166 country code of two capital letters");

/** Created at first use: it is slow to create, and most processes never create a store. */
let regionNames: Intl.DisplayNames | null | undefined;
/** The codes that name no country although the runtime has a name for them. */
const noCountries: ReadonlySet<string> = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

/** Every code of two letters passes on a runtime that knows no names of regions. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || noCountries.has(code)) return false;

  regionNames ??=
    "DisplayNames" in Intl
      ? new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
      : null;
  const knowsRegions = regionNames?.of("BR") !== undefined;
  return !knowsRegions || regionNames?.of(code) !== undefined;
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

/** To judge a name takes 0.3 ms, and a dashboard asks for the days of the same zones. */
const isKnownTimezone = remember(100, isTimezone);

export const timezone = z.string().max(100).refine(isKnownTimezone, "must be an IANA time zone");

function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) !== null;
  } catch {
    return false;
  }
}

/**
 * Takes a moment in any form that a host may hold. Text must name its UTC offset:
 * without one the moment would depend on the machine's time zone.
 */
export const moment = z
  .custom<Date | string | number>(
    (value) => momentOf(value) !== null,
    "must be a Date, milliseconds since 1970, or ISO 8601 text with seconds and an offset",
  )
  .transform((value) => momentOf(value) ?? 0);

/** Takes a time as text. */
export const isoWithOffset = z.iso.datetime({
  offset: true,
  error: "must be ISO 8601 text with seconds and an offset, such as 2026-01-31T12:00:00Z",
});
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function momentOf(value: unknown): number | null {
  let time = value;
  if (value instanceof Date) time = value.getTime();
  if (typeof value === "string") time = parseIso(value);
  return typeof time === "number" && Number.isInteger(time) && time >= 0 && time <= lastMoment
    ? time
    : null;
}

/**
 * The schema judges first, because Date.parse alone reads the 30th of February as a
 * day of March.
 */
function parseIso(value: string): number | null {
  return isoWithOffset.safeParse(value).success ? Date.parse(value) : null;
}

/**
 * Says what is wrong with a discount, or gives null. A percentage is above 0 and at
 * most 100 with at most two decimals; a fixed amount is in whole minor units.
 */
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

/**
 * Makes `cafe-da-manha` of `Café da Manhã`. Gives null when no letter or digit of
 * the name fits a slug.
 */
export function slugOf(name: string): string | null {
  const words = fold(name)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replace(/^-|-$/g, "");
  return words === "" ? null : words;
}

/** Makes a slug that no other row has, by the last letters of the row's id. */
export function ownSlug(base: string | null, id: string): string {
  const tail = id
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-8)
    .toLowerCase();
  return `${(base ?? "item").slice(0, 90)}-${tail}`;
}

/** What a buyer types for a product has at most so many characters, unless it says otherwise. */
export const defaultMaxLength = 500;
