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
const marked = /[&<>"']/;

/** Most texts have nothing to escape, and a test is cheaper than a replacement. */
const escapeText = (text: string): string =>
  marked.test(text) ? text.replace(/[&<>"']/g, (letter) => entities[letter] ?? "") : text;

/** Escapes each value of a template, apart from HTML that this tag has made. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = strings[0] ?? "";
  let index = 0;
  for (const value of values) {
    index += 1;
    text += show(value) + (strings[index] ?? "");
  }
  return { html: text };
}

function show(value: Part): string {
  if (value === null) return "";
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  return "html" in value ? value.html : value.map((part) => part.html).join("");
}

/** Marks a text as HTML without escaping it: use it only with constants of our own. */
export const raw = (text: string): Html => ({ html: text });
