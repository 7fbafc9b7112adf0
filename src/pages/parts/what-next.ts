import type { Store } from "../../contract/schemas.ts";
import type { CheckoutPageSettings } from "../page-options.ts";
import type { Language } from "../texts/language.ts";

/** What the store tells a buyer who has paid. */
export interface WhatNext {
  readonly text: string;
  /** The language of the text, for its `lang` attribute. */
  readonly lang: string;
}

interface Reader {
  readonly store: Store;
  readonly language: Language;
}

/**
 * Gives the store's words in the reader's language, else in the store's, else in the first
 * that there is. Gives null where the store has written none. Throws when a function of the
 * host gives something else than a text.
 */
export async function whatNextOf(
  whatNext: CheckoutPageSettings["whatNext"],
  { store, language }: Reader,
): Promise<WhatNext | null> {
  if (typeof whatNext !== "function") return chosenOf(whatNext, [language.lang, store.locale]);

  const text: unknown = await whatNext(store, language.lang);
  if (text === null || text === undefined) return null;
  if (typeof text !== "string") throw new Error("checkoutPage.whatNext must give a text, or null.");
  return text.trim() === "" ? null : { text, lang: language.lang };
}

function chosenOf(
  texts: Readonly<Record<string, string>>,
  wanted: readonly string[],
): WhatNext | null {
  const byTag = new Map(Object.entries(texts).map(([tag, text]) => [tag.toLowerCase(), text]));
  const tags = wanted.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split("-", 1)[0]]);
  const lang = [...tags, ...byTag.keys()].find((tag) => byTag.has(tag ?? ""));
  const text = byTag.get(lang ?? "");
  return lang === undefined || text === undefined ? null : { text, lang };
}
