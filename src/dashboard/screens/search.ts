import { type Html, html } from "../../contract/html.ts";
import { inStore } from "../addresses.ts";
import { card, emptyList } from "../frame/elements.ts";
import { searchText, shortcutsLink } from "../frame/find.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { findEverything } from "../search/find.ts";
import type { Found, Hit } from "../search/hit.ts";

function hitLine(visit: StoreVisit, { label, note, path }: Hit): Html {
  const told = note === null || typeof note === "string" ? note : visit.language.say(note.text);
  return html`<li><a href="${inStore(visit, path)}"><strong>${label}</strong>
${told === null ? null : html`<small>${told}</small>`}</a></li>`;
}

function foundPart(visit: StoreVisit, { title, hits, all }: Found): Html {
  const { say } = visit.language;
  const more = all === null ? null : html`<li><a href="${all}">${say("search_all")}</a></li>`;
  return html`<section><h2>${say(title)}</h2>
<ul class="hits">${hits.map((hit) => hitLine(visit, hit))}${more}</ul></section>`;
}

/** The part of the page that the script shows below the field, as it is. */
function resultsOf(visit: StoreVisit, found: readonly Found[]): Html {
  const { say, sayCount } = visit.language;
  const count = found.reduce((all, { hits }) => all + hits.length, 0);
  const told = count === 0 ? say("search_none") : sayCount("search_found", count);
  return html`<div class="results" data-results><p class="soft" data-told>${told}</p>
${found.map((each) => foundPart(visit, each))}</div>`;
}

/** Answers the field in the frame. Without a text it says what can be found. */
export const searchScreen: Screen = {
  path: "search",
  section: null,
  action: null,

  async show(visit) {
    const { say } = visit.language;
    const text = searchText(visit);
    const keys = html`<p>${shortcutsLink(visit)}</p>`;
    if (text === "")
      return {
        title: say("search"),
        body: html`${emptyList(say("search_empty_title"), say("search_empty_text"))}${keys}`,
      };

    const found = await findEverything(visit, text);
    return {
      title: say("search_title", { text }),
      body: html`${card(null, resultsOf(visit, found))}${keys}`,
    };
  },
};
