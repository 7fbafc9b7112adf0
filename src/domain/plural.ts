/**
 * A text with a count in it, in the forms of its language: `Intl.PluralRules` names them. A
 * form that is left out is that of `other`.
 */
export interface PluralForms {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** A text of a page: the words, or their forms where they depend on a count. */
export type Text = string | PluralForms;

/** The form of a text for a count, and the count as the language writes it. */
interface Counted {
  readonly form: string;
  readonly count: string;
}

/** Makes what chooses the forms of one language and writes its counts. */
export function createCounter(locale: string): (text: Text, count: number) => Counted {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (text, count) => ({
    form: formOf(text, rules.select(count)),
    count: numbers.format(count),
  });
}

/** Gives one form of a text. Without a count it is the one for all other counts. */
export const formOf = (text: Text, category: Intl.LDMLPluralRule = "other"): string =>
  typeof text === "string" ? text : (text[category] ?? text.other);

const formNames: ReadonlySet<string> = new Set(["zero", "one", "two", "few", "many", "other"]);

/** Says whether a value is a text: words, or forms that hold words, with `other` among them. */
export function isText(value: unknown): value is Text {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null) return false;

  const forms = Object.entries(value);
  const areForms = forms.every(([name, form]) => formNames.has(name) && typeof form === "string");
  return areForms && "other" in value;
}
