import { type Html, html } from "../contract/html.ts";
import type { Page, Place } from "./pages.ts";
import { hrefOf, type Reading } from "./reading.ts";
import { languages } from "./reference/samples.ts";

/** A page, and what stands around its text. */
export interface PageFrame {
  readonly reading: Reading;
  readonly page: Page;
  /** Every page of the contents. */
  readonly pages: readonly Page[];
  readonly assetVersion: string;
}

/**
 * Makes a page that loads its style sheet and its script and nothing else. Without the
 * script it lacks the search, the copy buttons and the forms that try a call.
 */
export function renderPage({ reading, page, pages, assetVersion }: PageFrame): string {
  const { say } = reading.words;
  const folder = `${reading.toApi}docs`;
  const viewport = html`<meta name="viewport" content="width=device-width,initial-scale=1">`;
  const sheet = html`<link rel="stylesheet" href="${folder}/docs.css?v=${assetVersion}">`;
  const script = html`<script src="${folder}/docs.js?v=${assetVersion}" defer></script>`;
  const name = page.slug === "" ? page.title : `${page.title} · ${say("api_title")}`;
  const head = html`<head><meta charset="utf-8">${viewport}<title>${name}</title>
${sheet}${script}</head>`;

  const skip = html`<a class="skip" href="#content">${say("skip")}</a>`;
  const nav = html`<nav aria-label="${say("contents")}">${searchBox(reading)}
<div class="contents">${contents(reading, page, pages)}</div></nav>`;
  const places = page.places.map(({ body }) => html`${body()}\n`);
  const body = html`<body>${skip}
${bar(reading, page)}
${nav}
<main id="content" tabindex="-1"><h1>${page.title}</h1>
${page.lead()}
${places}</main></body>`;

  return html`<!doctype html><html lang="${reading.words.lang}">${head}
${body}</html>`.html;
}

function bar(reading: Reading, { hasSamples }: Page): Html {
  const { words, language, toApi } = reading;
  const other = language === "pt" ? "en" : "pt";
  const link = (slug: string, text: string): Html =>
    html`<a href="${hrefOf(reading, slug)}">${text}</a>`;
  const links = html`${link("", words.say("start"))}${link("errors", words.say("errors"))}<a
 href="${toApi}openapi.json">OpenAPI 3.1</a><a class="language" href="?lang=${other}"
 lang="${other}" hreflang="${other}">${words.say("other_language")}</a>`;
  const choice = hasSamples ? languageChoice(reading) : null;
  return html`<header><div class="links">${links}</div>${choice}</header>`;
}

/** Renders the search box. The script searches what `data-index` leads to. */
function searchBox(reading: Reading): Html {
  const { words, language, toApi, query } = reading;
  const index = `${toApi}docs/search.json?lang=${language}`;
  return html`<div class="search" data-index="${index}" data-folder="${toApi}docs"
 data-query="${query}" hidden><label for="search">${words.say("search")}</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p class="note" role="status" id="found"></p><div id="results"></div></div>`;
}

/** Lists the pages of each group, and the places of the page that is shown. */
function contents(reading: Reading, shown: Page, pages: readonly Page[]): Html {
  const groups = (["guides", "reference"] as const).map((group) => {
    const links = pages
      .filter((page) => page.group === group)
      .map((page) => pageLink(reading, page, page.slug === shown.slug));
    return html`<p class="group">${reading.words.say(group)}</p><ul>${links}</ul>`;
  });
  return html`${groups}`;
}

function pageLink(reading: Reading, { slug, title, places }: Page, isShown: boolean): Html {
  const current = isShown ? html` aria-current="page"` : null;
  const link = html`<a href="${hrefOf(reading, slug)}"${current}>${title}</a>`;
  const inner = isShown && places.length > 0 ? html`<ul>${places.map(placeLink)}</ul>` : null;
  return html`<li>${link}${inner}</li>`;
}

const placeLink = ({ id, title }: Place): Html => html`<li><a href="#${id}">${title}</a></li>`;

/** Renders the choice of a language. The style sheet shows the samples of the chosen one. */
function languageChoice({ words }: Reading): Html {
  const choices = Object.entries(languages).map(([id, name], index) => {
    const checked = index === 0 ? html` checked` : null;
    const input = html`<input type="radio" name="language" id="language-${id}"${checked}>`;
    return html`${input}<label for="language-${id}">${name}</label>`;
  });
  return html`<fieldset><legend>${words.say("samples_in")}</legend>${choices}</fieldset>`;
}
