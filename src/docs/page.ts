import { type Html, html } from "../contract/html.ts";
import { assetVersion } from "./assets.ts";
import { languages } from "./reference/samples.ts";

/** These parts of a page stand around its text. */
export interface PageFrame {
  readonly title: string;
  /**
   * The relative path from the page to the API: `""` for `/docs` and `../`
   * for a page below it.
   */
  readonly toApi: string;
  /** True when the page has samples in several languages. */
  readonly hasSamples: boolean;
  readonly contents: Html;
  readonly main: Html;
}

/**
 * Makes a page that loads its style sheet and its script and nothing else. Without the
 * script it lacks the search, the copy buttons and the forms that try a call.
 */
export function renderPage({ title, toApi, hasSamples, contents, main }: PageFrame): string {
  const folder = `${toApi}docs`;
  const viewport = html`<meta name="viewport" content="width=device-width,initial-scale=1">`;
  const sheet = html`<link rel="stylesheet" href="${folder}/docs.css?v=${assetVersion}">`;
  const script = html`<script src="${folder}/docs.js?v=${assetVersion}" defer></script>`;
  const head = html`<head><meta charset="utf-8">${viewport}<title>${title}</title>
${sheet}${script}</head>`;

  const skip = html`<a class="skip" href="#content">Skip to the content</a>`;
  const links = html`<a href="${folder}">API</a><a href="${folder}/errors">Errors</a><a
 href="${toApi}openapi.json">OpenAPI 3.1</a>`;
  const choice = hasSamples ? languageChoice() : null;
  const bar = html`<header><div class="links">${links}</div>${choice}</header>`;
  const nav = html`<nav aria-label="Contents">${searchBox}${contents}</nav>`;
  const body = html`<body>${skip}
${bar}
${nav}
<main id="content" tabindex="-1"><h1>${title}</h1>
${main}</main></body>`;

  return html`<!doctype html><html lang="en">${head}
${body}</html>`.html;
}

const searchBox = html`<div class="search" hidden><label for="search">Search this page</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p class="note" role="status" id="found"></p></div>`;

/** Renders the choice of a language. The style sheet shows the samples of the chosen one. */
function languageChoice(): Html {
  const choices = Object.entries(languages).map(([id, name], index) => {
    const checked = index === 0 ? html` checked` : null;
    const input = html`<input type="radio" name="language" id="language-${id}"${checked}>`;
    return html`${input}<label for="language-${id}">${name}</label>`;
  });
  return html`<fieldset><legend>Samples in</legend>${choices}</fieldset>`;
}
