import { isText, type Text } from "../../domain/plural.ts";
import { nearestName } from "../../domain/text/nearest.ts";
import { invalidOption } from "../../input/option-error.ts";

interface KnownTexts {
  /** The option that holds the texts. */
  readonly option: string;
  /** The names of the texts, with the values that each can hold. */
  readonly values: Readonly<Record<string, string>>;
  /** The document that says how texts are replaced. */
  readonly guide: string;
}

/** Throws `invalid_option` for texts that the page could not show. */
export function checkTexts(given: unknown, { option, ...known }: KnownTexts): void {
  if (typeof given !== "object" || given === null)
    invalidOption(option, "must be an object with texts by language, like `{ es: {…} }`");
  for (const [language, table] of Object.entries(given))
    checkTable(table, { ...known, option: `${option}.${language}` }, language);
}

/** Throws `invalid_option` for a name that is no tag of a language. */
export function checkLanguage(option: string, language: string): void {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language))
    invalidOption(option, "must be named by a language tag like `es` or `pt-PT`");
}

function checkTable(table: unknown, { option, values, guide }: KnownTexts, language: string): void {
  checkLanguage(option, language);
  if (typeof table !== "object" || table === null)
    invalidOption(option, "must be an object with texts by their names");

  for (const [name, text] of Object.entries(table)) {
    const path = `${option}.${name}`;
    if (!Object.hasOwn(values, name)) {
      const nearest = nearestName(name, Object.keys(values));
      const hint = nearest === null ? "" : `did you mean ${nearest}, or `;
      invalidOption(path, `is no text of the page: ${hint}see ${guide}`);
    }
    if (text === undefined) continue;
    if (!isText(text))
      invalidOption(
        path,
        "must be a text, or an object with a text for each plural form, `other` among them",
      );
    checkValues(path, text, values[name] ?? "");
  }
}

/** A value that the page does not fill in would be shown with its braces. */
function checkValues(path: string, text: Text, values: string): void {
  const known = values.split(" ").filter((value) => value !== "");
  const forms = typeof text === "string" ? [text] : Object.values(text);
  const wrong = forms
    .flatMap((form: string) => [...form.matchAll(/\{([^{}]*)\}/g)])
    .find(([, value = ""]) => !known.includes(value));
  if (!wrong) return;

  const names = known.map((value) => `{${value}}`).join(", ");
  const rule = known.length === 0 ? "can hold no value" : `can hold ${names} and no other value`;
  invalidOption(path, `${rule}: take ${wrong[0]} out, or write it without braces`);
}
