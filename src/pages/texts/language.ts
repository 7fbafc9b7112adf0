import type { CheckoutPageSettings } from "../page-options.ts";
import { type Chooser, createChooser, primary, type Speaker } from "./choose-language.ts";
import type { CheckoutTexts, TextName } from "./text-names.ts";
import { english } from "./texts-en.ts";
import { portuguese } from "./texts-pt.ts";

/** Gives the checkout page's texts in the language of one reader. */
export type Language = Speaker<TextName>;

export type ChooseLanguage = Chooser<TextName>;

export function createLanguages(given: CheckoutPageSettings["texts"]): ChooseLanguage {
  const tables = new Map<string, CheckoutTexts>([
    ["en", english],
    ["pt", portuguese],
  ]);
  for (const [tag, texts] of Object.entries(given)) {
    const key = tag.toLowerCase();
    const base = tables.get(key) ?? tables.get(primary(key)) ?? english;
    tables.set(key, { ...base, ...withoutGaps(texts) });
  }
  return createChooser(tables, english);
}

/** A text that is `undefined` must not hide the one that it is laid over. */
const withoutGaps = (texts: Partial<CheckoutTexts>): Partial<CheckoutTexts> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
