import { remember } from "../async/remember.ts";
import { createCounter, formOf, type Text } from "../plural.ts";

/** Gives the texts of a page in the language of one reader. */
export interface Speaker<Name extends string> {
  /** The language of the texts, for `lang` attributes. */
  readonly lang: string;
  /** The reader's own locale in that language, for amounts and times. */
  readonly locale: string;
  /**
   * Gives a text with its `{…}` filled in. It is not HTML: the `html` tag escapes it. A
   * number that people count by is no value of it, but that of `sayCount`.
   */
  say(name: Name, values?: Values): string;
  /**
   * Gives a text in the form that the language has for this count, which stands in its
   * `{count}`. A value of that name is written in its place, such as `50+`.
   */
  sayCount(name: Name, count: number, values?: Values): string;
}

type Values = Readonly<Record<string, string>>;

/** The texts of a page in one language. */
type Texts<Name extends string> = Readonly<Record<Name, Text>>;

/** Chooses a language from an `Accept-Language` header, else by the store's locale. */
export type Chooser<Name extends string> = (
  accepted: string | undefined,
  storeLocale: string | null,
) => Speaker<Name>;

const fallback = "en";

/**
 * Makes a chooser of the languages of a table, by their tags in lower case. `english`
 * serves readers of all other languages.
 */
export function createChooser<Name extends string>(
  tables: ReadonlyMap<string, Texts<Name>>,
  english: Texts<Name>,
): Chooser<Name> {
  const choose: Chooser<Name> = (accepted, storeLocale) => {
    const wanted = [...acceptedTags(accepted ?? ""), ...(storeLocale ? [storeLocale] : [])];
    for (const locale of wanted) {
      const key = [locale.toLowerCase(), primary(locale)].find((tag) => tables.has(tag));
      const texts = key === undefined ? undefined : tables.get(key);
      if (key !== undefined && texts) return speaker(key, localeOf(locale), texts);
    }
    return speaker(fallback, fallback, tables.get(fallback) ?? english);
  };
  return remembering(choose);
}

const maxRemembered = 500;
const maxHeader = 200;

/** Browsers send few different headers, so most of them are read once. */
function remembering<Name extends string>(choose: Chooser<Name>): Chooser<Name> {
  const known = new Map<string, Speaker<Name>>();

  return (accepted = "", storeLocale) => {
    const key = `${storeLocale ?? ""} ${accepted}`;
    const found = known.get(key);
    if (found) return found;

    const chosen = choose(accepted, storeLocale);
    if (known.size >= maxRemembered) known.clear();
    if (accepted.length <= maxHeader) known.set(key, chosen);
    return chosen;
  };
}

/**
 * Keeps language and region of a tag. What a client writes behind them could be
 * refused by Intl, and would fill the caches of its formats.
 */
function localeOf(tag: string): string {
  const [, region] = /-([a-z]{2})(?:-|$)/i.exec(tag) ?? [];
  return region === undefined ? primary(tag) : `${primary(tag)}-${region.toUpperCase()}`;
}

export const primary = (tag: string): string => tag.toLowerCase().split("-", 1)[0] ?? "";

const speaker = <Name extends string>(
  lang: string,
  locale: string,
  texts: Texts<Name>,
): Speaker<Name> => {
  const choose = createCounter(locale);
  return {
    lang,
    locale,
    say: (name, values) => {
      const text = formOf(texts[name]);
      return values === undefined ? text : fill(text, values);
    },
    sayCount: (name, count, values) => {
      const chosen = choose(texts[name], count);
      return fill(chosen.form, { count: chosen.count, ...values });
    },
  };
};

/** Gives the words of a text and, between them, the names in its braces. */
const piecesOf = remember(1_000, (text: string) => text.split(/\{([a-z]+)\}/));

/** A name without a value stays as it is. Charts fill the same text a hundred times. */
function fill(text: string, values: Values): string {
  const pieces = piecesOf(text);
  let filled = pieces[0] ?? "";
  for (let at = 1; at < pieces.length; at += 2)
    filled += (values[pieces[at] ?? ""] ?? `{${pieces[at]}}`) + (pieces[at + 1] ?? "");
  return filled;
}

/** The most tags of a header that are read, because no browser sends more. */
const maxTags = 20;
const tagPattern = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/**
 * Reads `pt-BR,pt;q=0.9,en;q=0.8` (RFC 9110 12.5.4). The most wanted comes first,
 * and q=0 is left out.
 */
function acceptedTags(header: string): readonly string[] {
  return header
    .slice(0, 1_000)
    .split(",", maxTags)
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter));
      return { tag, q: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ tag, q }) => tagPattern.test(tag) && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag);
}
