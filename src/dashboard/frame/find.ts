import { type Html, html } from "../../contract/html.ts";
import { inStore } from "../addresses.ts";
import type { TextName } from "../language.ts";
import type { StoreVisit, Visit } from "../screen.ts";
import { icons } from "../style/icons.ts";

const longestText = 300;

/** Gives what the field in the frame has asked for. */
export const searchText = ({ query }: Visit): string =>
  (query.get("q") ?? "").trim().slice(0, longestText);

/**
 * Renders the field that searches everything. Without the script it leads to the page of the
 * results; the script shows the same results below it.
 */
export function searchField(visit: StoreVisit): Html {
  const { say } = visit.language;
  const action = inStore(visit, ["search"]);
  const text = visit.path === action ? searchText(visit) : "";
  return html`<form class="find" method="get" action="${action}" role="search"
aria-label="${say("search_everything")}">
<input id="find" name="q" type="search" maxlength="${longestText}" value="${text}"
aria-label="${say("search_everything")}" placeholder="${say("search_everything")}"
autocomplete="off" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd>
<div id="found" class="found" popover="manual"></div>
<p id="found-told" class="unseen" role="status"></p></form>`;
}

const shortcutsId = "shortcuts";

export const shortcutsLink = ({ language }: Visit): Html =>
  html`<a href="#${shortcutsId}">${icons.keyboard}${language.say("shortcuts")}</a>`;

/** What the script does at a key, by the texts that say so. */
const shortcuts: readonly (readonly [keys: readonly string[], text: TextName])[] = [
  [["/"], "shortcut_search"],
  [["↓", "↑"], "shortcut_move"],
  [["Enter"], "shortcut_open"],
  [["Esc"], "shortcut_close"],
  [["?"], "shortcut_list"],
];

/** Lists the keys. The script opens it as a dialog; without it, the link above shows it. */
export function shortcutsDialog({ language }: Visit): Html {
  const { say } = language;
  return html`<dialog id="${shortcutsId}" aria-labelledby="shortcuts-title">
<h2 id="shortcuts-title">${say("shortcuts")}</h2>
<dl>${shortcuts.map(
    ([keys, text]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
<dd>${say(text)}</dd></div>`,
  )}</dl>
<a class="button" href="#content">${say("close")}</a></dialog>`;
}
