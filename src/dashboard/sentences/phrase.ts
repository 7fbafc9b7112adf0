import { type Html, html } from "../../contract/html.ts";
import type { Language, TextName } from "../language.ts";

/** What stands in the braces of a phrase. Texts are escaped. */
export type Values = Readonly<Record<string, Html | string>>;

/** Says a text whose braces hold links, times and other parts of a page. */
export function phrase({ say }: Language, name: TextName, values: Values): Html {
  const pieces = say(name).split(/\{([a-z_]+)\}/);
  return html`${pieces.map((piece, index) =>
    index % 2 === 0 ? html`${piece}` : html`${values[piece] ?? ""}`,
  )}`;
}

/** Gives the names in the braces of a text. */
export const bracesOf = ({ say }: Language, name: TextName): readonly string[] =>
  [...say(name).matchAll(/\{([a-z_]+)\}/g)].map(([, brace = ""]) => brace);

/** Joins parts as the language lists them: `a, b and c`. */
export function listed({ locale }: Language, parts: readonly Html[]): Html {
  const places = parts.map((_, index) => String(index));
  const pieces = new Intl.ListFormat(locale).formatToParts(places);
  return html`${pieces.map(({ type, value }) =>
    type === "element" ? (parts[Number(value)] ?? html``) : html`${value}`,
  )}`;
}
