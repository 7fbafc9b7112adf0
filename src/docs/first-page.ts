import { type Html, html } from "../contract/html.ts";
import { prose, rich } from "./markup.ts";
import type { Page, Place } from "./pages.ts";
import { hrefOf, type Reading } from "./reading.ts";
import { introduction } from "./texts/contract-pt.ts";

/**
 * Renders what the first page tells: how calls are made, and a link to every place of every page.
 * All documents were one page once. A link here has the anchor that its text had there, so that an
 * old address leads to the link, and the script then opens the page of the text.
 */
export function renderFirstPage(reading: Reading, pages: readonly Page[]): Html {
  const { document, language, words, toApi } = reading;
  const address = document.servers[0]?.url ?? "";
  const text = language === "pt" ? introduction : document.info.description;
  return html`<p>${words.say("base_address")}: <code>${address}</code></p>
${prose(text)}
<p>${rich(words.say("whole_api", { openapi: `${toApi}openapi.json` }))}</p>
<h2>${words.say("every_page")}</h2>
<div class="pages">${pages.map((page) => pageLinks(reading, page))}</div>`;
}

function pageLinks(reading: Reading, page: Page): Html {
  const { slug, title, oldAnchor, places } = page;
  const id = oldAnchor === null ? null : html` id="${oldAnchor}" data-moved`;
  const heading = html`<h3${id}><a href="${hrefOf(reading, slug)}">${title}</a></h3>`;
  // The error reference has been a page of its own since it exists.
  const links = oldAnchor === null ? [] : places.map((place) => placeLink(reading, slug, place));
  return html`<section>${heading}${links.length === 0 ? null : html`<ul>${links}</ul>`}</section>`;
}

function placeLink(reading: Reading, slug: string, { id, title, isCode }: Place): Html {
  const name = isCode ? html`<code>${title}</code>` : html`${title}`;
  return html`<li id="${id}" data-moved><a href="${hrefOf(reading, slug, id)}">${name}</a></li>`;
}
