import { type Html, html } from "../../contract/html.ts";
import { capital } from "../format.ts";
import { codeArea, codeBox } from "../frame/elements.ts";
import { isTextName, type Language, type TextName } from "../language.ts";

/** The labels of fields that have no text of their own name. */
const labels = new Map<string, TextName>([
  ["keys", "keys_upload"],
  ["values", "variants_values"],
]);

/** Names a field, such as `variables.0.key` by its part `variables`. Null for a hidden one. */
function labelOf({ say }: Language, name: string): string | null {
  const [field = ""] = name.split(/[.[]/, 1);
  const text = labels.get(field) ?? [`field_${field}`, field].find(isTextName);
  return text === undefined ? null : capital(say(text));
}

/** Tells whether a field holds a text: a ticked box and the id of a record are no use to copy. */
const isText = ([name, value]: readonly [string, string]): boolean =>
  value.trim() !== "" && value !== "yes" && !/_ids?$/.test(name);

/**
 * Shows the texts of a form that cannot be shown again, so that its reader can copy them. Gives
 * null when no text was typed.
 */
export function typedText(language: Language, fields: URLSearchParams): Html | null {
  const boxes = [...fields].filter(isText).flatMap(([name, value], index) => {
    const label = labelOf(language, name);
    if (label === null) return [];
    const box = { id: `typed-${index}`, label, value };
    return [value.includes("\n") ? codeArea({ language }, box) : codeBox({ language }, box)];
  });
  const { say } = language;
  return boxes.length === 0
    ? null
    : html`<h2>${say("typed_title")}</h2><p>${say("typed_text")}</p>${boxes}`;
}
