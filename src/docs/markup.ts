import { type Html, html } from "../contract/html.ts";

// The small pieces that all pages are made of.

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

/** A table of two columns; the first holds code. */
export function codeTable(
  headings: readonly [string, string],
  rows: Readonly<Record<string, string>>,
): Html {
  const head = html`<tr>${headings.map((text) => html`<th scope="col">${text}</th>`)}</tr>`;
  const body = Object.entries(rows).map(
    ([name, text]) => html`<tr><td><code>${name}</code></td><td>${inline(text)}</td></tr>`,
  );
  return html`<table><thead>${head}</thead><tbody>${body}</tbody></table>`;
}

/**
 * A block of code. The script shows its button. A block of a language that the reader
 * has not chosen is hidden by the style sheet.
 */
export function codeBlock(label: string, code: string, language: string | null = null): Html {
  const name = language === null ? "sample" : `sample lang-${language}`;
  const button = html`<button type="button" class="copy" hidden>Copy</button>`;
  const caption = html`<figcaption><span>${label}</span>${button}</figcaption>`;
  return html`<figure class="${name}">${caption}<pre><code>${code}</code></pre></figure>`;
}
