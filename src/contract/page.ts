import { type Html, html, raw } from "./html.ts";

const style = [
  ":root{color-scheme:light dark;--line:#8884;--soft:#8882;--link:#3b3bd6}\n",
  "@media(prefers-color-scheme:dark){:root{--link:#9c9cff}}\n",
  "*{box-sizing:border-box}",
  "body{font:16px/1.55 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:1rem;",
  "overflow-wrap:anywhere}\n",
  "a{color:var(--link)}",
  "h1{line-height:1.2}",
  "h2{margin:2.5rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}",
  "h3{margin:2rem 0 .25rem;font-size:1.1rem}",
  "h4{margin:1rem 0 .25rem;font-size:1rem}\n",
  "code,pre{font:.9em/1.45 ui-monospace,monospace}",
  "pre{background:var(--soft);padding:.75rem;border-radius:6px;overflow-x:auto;",
  "overflow-wrap:normal}\n",
  "p{margin:.25rem 0}",
  "ul{margin:.25rem 0;padding-left:1.25rem}",
  "dl{margin:.25rem 0}",
  "dt{margin-top:.5rem}",
  "dd{margin:0 0 0 1rem}\n",
  ".note{opacity:.75}",
  ".tag{border:1px solid var(--line);border-radius:4px;padding:0 .35rem;font-size:.85em}",
  "summary{cursor:pointer;padding:.25rem 0}",
].join("");

/** Makes a page that loads nothing else: its style is inline, and it has no script. */
export function renderPage(title: string, body: Html): string {
  const viewport = html`<meta name="viewport" content="width=device-width,initial-scale=1">`;
  const meta = html`<meta charset="utf-8">${viewport}<title>${title}</title>`;
  const head = html`<head>${meta}<style>${raw(style)}</style></head>`;
  const main = html`<body><h1>${title}</h1>${body}</body>`;

  return html`<!doctype html><html lang="en">${head}${main}</html>`.html;
}

/**
 * Turns a description into HTML: it may have paragraphs, lists, and `code` in
 * backticks.
 */
export const prose = (text: string): Html => ({
  html: text
    .split("\n\n")
    .map(
      (block) => (block.startsWith("- ") ? listBlock(block) : html`<p>${inline(block)}</p>`).html,
    )
    .join(""),
});

function listBlock(block: string): Html {
  const items = block.split("\n").map((line) => html`<li>${inline(line.slice(2))}</li>`);
  return html`<ul>${items}</ul>`;
}

/** Turns one line of a description into HTML. */
export const inline = (text: string): Html => ({
  html: text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html)
    .join(""),
});
