import type { Text } from "../domain/plural.ts";
import { type Chooser, createChooser, type Speaker } from "../domain/text/choose-language.ts";
import { frameEnglish } from "./texts/frame-en.ts";
import { framePortuguese } from "./texts/frame-pt.ts";
import { guidesEnglish } from "./texts/guides-en.ts";
import { guidesPortuguese } from "./texts/guides-pt.ts";
import { referenceEnglish } from "./texts/reference-en.ts";
import { referencePortuguese } from "./texts/reference-pt.ts";

const english = { ...frameEnglish, ...guidesEnglish, ...referenceEnglish };
const portuguese = { ...framePortuguese, ...guidesPortuguese, ...referencePortuguese };

/** Names a text of the documents. */
export type DocsText = keyof typeof english;

type Texts = Readonly<Record<DocsText, Text>>;
/** The documents are read in these languages. English serves readers of all others. */
const tables = { en: english, pt: portuguese } as const satisfies Readonly<Record<string, Texts>>;

export type DocsLanguage = keyof typeof tables;

export const isDocsLanguage = (text: string): text is DocsLanguage => Object.hasOwn(tables, text);

/** Chooses the language of a reader by the header `Accept-Language`. */
export const chooseDocsLanguage: Chooser<DocsText> = createChooser<DocsText>(
  new Map<string, Texts>(Object.entries(tables)),
  english,
);

/** Gives the texts in one language, whatever region the reader is of. */
export const speakerOf = (language: DocsLanguage): Speaker<DocsText> =>
  chooseDocsLanguage(language, null);
