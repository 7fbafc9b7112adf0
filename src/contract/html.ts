/** Text that is already HTML. Other text is escaped before it becomes part of a page. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | null | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => entities[letter] ?? "");

/** A template tag that escapes each value, apart from HTML that this tag has made. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return {
    html: strings.reduce((text, piece, index) => text + show(values[index - 1] ?? null) + piece),
  };
}

function show(value: Part): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return "html" in value ? value.html : value.map((part) => part.html).join("");
}

/** Marks a text as HTML without escaping it: use it only with constants of our own. */
export const raw = (text: string): Html => ({ html: text });
