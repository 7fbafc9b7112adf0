import { remember } from "../async/remember.ts";

const maxFormats = 100;

/** The signs of a language between thousands and before decimals. */
export const numberSigns = remember(maxFormats, (locale: string) => {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const find = (type: string, fallback: string): string =>
    parts.find((part) => part.type === type)?.value ?? fallback;
  return { group: find("group", ","), decimal: find("decimal", ".") };
});
