/** Text that is already HTML. */
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

/** A template tag that escapes each value, apart from HTML that this tag has made. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return {
    html: strings.reduce((text, piece, index) => text + show(values[index - 1] ?? null) + piece),
  };
}

function show(value: Part): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "number")
    return String(value).replace(/[&<>"']/g, (letter) => entities[letter] ?? "");
  return "html" in value ? value.html : value.map((part) => part.html).join("");
}

export const page = (title: string, body: Html, head: Html | null = null): string =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/shop.css"><link rel="icon" href="data:,">${head}</head><body><header><a href="/">Armazém Vitrine</a><nav><a href="/">Shop</a><a href="/released">Released</a></nav></header><main>${body}</main></body></html>`
    .html;
