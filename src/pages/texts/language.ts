import type { Text } from "../../domain/plural.ts";
import {
  type Chooser,
  createChooser,
  primary,
  type Speaker,
} from "../../domain/text/choose-language.ts";
import type { TextName } from "./text-names.ts";
import { english } from "./texts-en.ts";
import { portuguese } from "./texts-pt.ts";

/** Gives the checkout page's texts in the language of one reader. */
export type Language = Speaker<TextName>;

export type ChooseLanguage = Chooser<TextName>;

export const createLanguages = (given: OwnTexts<TextName>): ChooseLanguage =>
  layOver(given, { english, portuguese });

/** The texts that a host lays over those of a page, by language. */
export type OwnTexts<Name extends string> = Readonly<
  Record<string, Partial<Readonly<Record<Name, Text>>>>
>;

interface PageTexts<Name extends string> {
  readonly english: Readonly<Record<Name, Text>>;
  readonly portuguese: Readonly<Record<Name, Text>>;
}

/** Lays a host's texts over those of a page. What another language leaves out is English. */
export function layOver<Name extends string>(
  given: OwnTexts<Name>,
  { english, portuguese }: PageTexts<Name>,
): Chooser<Name> {
  const tables = new Map([
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
const withoutGaps = <Texts extends object>(texts: Texts): Partial<Texts> =>
  Object.fromEntries(
    Object.entries(texts).filter(([, text]) => text !== undefined),
  ) as Partial<Texts>;
