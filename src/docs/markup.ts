import { type Html, html } from "../contract/html.ts";
import type { Reading } from "./reading.ts";

// All pages are made of these small pieces.

/** Turns a description into HTML. It may have paragraphs, lists, and `code` in backticks. */
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

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

/** Turns a text of the guides into HTML: `code`, **strong** words and [links](address). */
export function rich(text: string): Html {
  let written = "";
  let end = 0;
  for (const found of text.matchAll(marks)) {
    const [whole, code, strong, label = "", href = ""] = found;
    written += html`${text.slice(end, found.index)}`.html;
    if (code !== undefined) written += html`<code>${code}</code>`.html;
    else if (strong !== undefined) written += html`<strong>${strong}</strong>`.html;
    else written += html`<a href="${href}">${label}</a>`.html;
    end = found.index + whole.length;
  }
  return { html: written + html`${text.slice(end)}`.html };
}

/** Renders a table of two columns. The first column holds code. */
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
 * Renders a block of code. The script shows its copy button. The style sheet hides
 * a block whose language the reader has not chosen.
 */
export function codeBlock(
  { words }: Reading,
  label: string,
  code: string,
  language: string | null = null,
): Html {
  const name = language === null ? "sample" : `sample lang-${language}`;
  const button = html`<button type="button" class="copy" hidden>${words.say("copy")}</button>`;
  const caption = html`<figcaption><span>${label}</span>${button}</figcaption>`;
  return html`<figure class="${name}">${caption}<pre><code>${code}</code></pre></figure>`;
}
