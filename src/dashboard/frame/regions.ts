import { remember } from "../../domain/async/remember.ts";
import { isCountry } from "../../input/fields.ts";
import type { Option } from "../forms/form-field.ts";

// The lists of a store's currency, country, language and time zone, in the reader's language.

/** A list is made once for each language, which takes some milliseconds. */
const maxLists = 20;

const nameOf = (names: Intl.DisplayNames, code: string): string => names.of(code) ?? code;

const byLabel = (locale: string): ((a: Option, b: Option) => number) => {
  const { compare } = new Intl.Collator(locale);
  return (a, b) => compare(a.label, b.label);
};

/** Puts the few that most stores choose before all others. Each value stands once. */
function firstOfAll(options: readonly Option[], first: readonly string[]): readonly Option[] {
  const common = first.flatMap((value) => options.find((option) => option.value === value) ?? []);
  return [...common, ...options.filter(({ value }) => !first.includes(value))];
}

const commonCurrencies = ["BRL", "USD", "EUR", "GBP"] as const;

const currencyList = remember(maxLists, (locale: string): readonly Option[] => {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const all = Intl.supportedValuesOf("currency").map((value) => ({
    value,
    label: `${value} · ${nameOf(names, value)}`,
  }));
  return firstOfAll(all, commonCurrencies);
});

const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** A code that was given up means its successor, which is in the list itself. */
const isCurrent = (code: string): boolean =>
  new Intl.Locale(`und-${code}`).region === code && isCountry(code);

const countryCodes = remember(1, (_all: string): readonly string[] =>
  letters.flatMap((first) => letters.map((second) => first + second)).filter(isCurrent),
);

const regionOf = (locale: string): string => new Intl.Locale(locale).maximize().region ?? "";

const countryList = remember(maxLists, (locale: string): readonly Option[] => {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const all = countryCodes("").map((value) => ({ value, label: nameOf(names, value) }));
  return firstOfAll(all.sort(byLabel(locale)), [regionOf(locale)]);
});

/** The languages that differ so much by country that a store names both. */
const countryForms = ["pt-BR", "pt-PT", "en-US", "en-GB", "es-ES", "es-MX", "es-AR", "fr-CA"];
const commonLanguages = ["pt-BR", "en-US", "es-ES"];

const languageList = remember(maxLists, (locale: string): readonly Option[] => {
  const names = new Intl.DisplayNames(locale, { type: "language", fallback: "code" });
  const codes = letters
    .flatMap((first) => letters.map((second) => (first + second).toLowerCase()))
    .filter((code) => new Intl.Locale(code).language === code);
  const known = Intl.DisplayNames.supportedLocalesOf(codes);
  const all = [...known, ...countryForms].map((value) => ({
    value,
    label: `${nameOf(names, value)} · ${value}`,
  }));
  return firstOfAll(all.sort(byLabel(locale)), commonLanguages);
});

const zoneList = remember(maxLists, (locale: string): readonly Option[] => {
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  const all = zones.map((value) => {
    const [group = "", ...place] = value.split("/");
    const label = (place.length === 0 ? value : place.join(", ")).replaceAll("_", " ");
    return place.length === 0 ? { value, label } : { value, label, group };
  });
  const order = byLabel(locale);
  return all.sort((a, b) => {
    const groups = (a.group ?? "").localeCompare(b.group ?? "");
    return groups === 0 ? order(a, b) : groups;
  });
});

const lists = {
  currency: currencyList,
  country: countryList,
  locale: languageList,
  timezone: zoneList,
} as const;

/**
 * Lists what a store may choose. A value that the list lacks, because code has set it or an
 * older runtime knew it, comes first, so that a form that is saved changes nothing unseen.
 */
export function regionOptions(
  name: keyof typeof lists,
  locale: string,
  current: string,
): readonly Option[] {
  const options = lists[name](locale);
  const isListed = current === "" || options.some(({ value }) => value === current);
  return isListed ? options : [{ value: current, label: current }, ...options];
}
