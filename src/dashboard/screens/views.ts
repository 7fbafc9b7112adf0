import { type Html, html, raw } from "../../contract/html.ts";
import { inStore } from "../addresses.ts";
import { card, hidden, primaryButton, screenForm } from "../frame/elements.ts";
import type { Filters } from "../lists/filters.ts";
import {
  cleanQuery,
  forgetView,
  isViewList,
  type KeptView,
  keepView,
  longestViewName,
  mostViews,
  queryOfFilters,
  type ViewList,
  viewLists,
  viewsOf,
} from "../lists/views.ts";
import type { FormResult, Screen, StoreVisit, View } from "../screen.ts";

const addressOf = (visit: StoreVisit, { list, query }: Omit<KeptView, "name">): string =>
  `${inStore(visit, [list])}${query === "" ? "" : `?${query}`}`;

const listName = ({ language }: StoreVisit, list: ViewList): string =>
  language.say(`section_${viewLists[list]}`);

/** Links to the kept views of a list, and to the page that keeps the one that is shown. */
export function viewsBar(visit: StoreVisit, filters: Filters): Html | null {
  const list = visit.path.split("/").at(-1) ?? "";
  if (!isViewList(list)) return null;

  const { say } = visit.language;
  const query = queryOfFilters(filters);
  const own = viewsOf(visit).filter((view) => view.list === list);
  const isKept = query === "" || own.some((view) => view.query === query);
  if (isKept && own.length === 0) return null;

  const links = own.map((view) => {
    const mark = raw(view.query === query ? 'aria-current="true"' : "");
    return html`<a href="${addressOf(visit, view)}" ${mark}>${view.name}</a>`;
  });
  const more = isKept
    ? html`<a href="${inStore(visit, ["views"])}">${say("views_manage")}</a>`
    : html`<a href="${inStore(visit, ["views"], { list, query })}">${say("views_keep")}</a>`;
  const group = html`<div class="filters" role="group"
aria-label="${say("views_title")}">${links}</div>`;
  return html`<div class="views">${own.length > 0 ? group : null}${more}</div>`;
}

interface Asked {
  readonly list: string;
  readonly query: string;
  readonly name: string;
  readonly fault?: string;
}

const askedIn = (fields: URLSearchParams): Asked => ({
  list: fields.get("list") ?? "",
  query: cleanQuery(fields.get("query") ?? ""),
  name: (fields.get("name") ?? "").trim(),
});

function nameForm(visit: StoreVisit, { list, query, name, fault }: Asked): Html | null {
  if (!isViewList(list) || query === "") return null;
  const { say } = visit.language;
  const error = fault ? html`<p class="error" id="name-error">${fault}</p>` : null;
  const body = html`${hidden("list", list)}${hidden("query", query)}
<div class="field"><label for="name">${say("views_name")}</label>
<input id="name" name="name" required maxlength="${longestViewName}" autocomplete="off"
value="${name}" ${fault ? raw('aria-invalid="true" aria-describedby="name-error"') : null}>${error}
</div><div class="actions">${primaryButton(say("views_save"))}
<a class="button" href="${addressOf(visit, { list, query })}">${say("cancel")}</a></div>`;
  return card(
    say("views_keep_of", { list: listName(visit, list) }),
    screenForm(visit, { name: "keep", body }),
  );
}

function keptList(visit: StoreVisit): Html {
  const { say } = visit.language;
  const rows = viewsOf(visit).map((view) => {
    const body = html`${hidden("list", view.list)}${hidden("name", view.name)}<button
class="button small">${say("remove")}<span class="unseen"> ${view.name}</span></button>`;
    return html`<li><a href="${addressOf(visit, view)}">${view.name}</a>
<span class="soft">${listName(visit, view.list)}</span>
${screenForm(visit, { name: "forget", className: "inline", body })}</li>`;
  });
  const list =
    rows.length === 0 ? html`<p>${say("views_none")}</p>` : html`<ul class="sent">${rows}</ul>`;
  return card(
    say("views_title"),
    html`${list}<p class="soft">${say("views_where", { most: String(mostViews) })}</p>`,
  );
}

const viewOf = (visit: StoreVisit, asked: Asked): View => ({
  title: visit.language.say("views_title"),
  body: html`${nameForm(visit, asked)}${keptList(visit)}`,
});

function keep(visit: StoreVisit, fields: URLSearchParams): FormResult {
  const asked = askedIn(fields);
  const { list, query, name } = asked;
  const { say, sayCount } = visit.language;
  const refuse = (fault: string): FormResult => ({
    kind: "view",
    status: 422,
    view: viewOf(visit, { ...asked, fault }),
  });
  if (!isViewList(list) || query === "" || name === "") return refuse(say("fault_missing"));
  if (name.length > longestViewName) return refuse(sayCount("fault_long", longestViewName));

  const cookie = keepView(visit, { list, name, query });
  if (cookie === null) return refuse(say("views_full"));
  return { kind: "done", address: addressOf(visit, { list, query }), message: null, cookie };
}

/** Keeps and forgets a person's views of lists, in the cookie of their browser. */
export const viewsScreen: Screen = {
  path: "views",
  section: null,
  action: null,
  show: async (visit) => viewOf(visit, askedIn(visit.query)),
  forms: {
    keep: { action: null, send: async (visit, fields) => keep(visit, fields) },
    forget: {
      action: null,
      send: async (visit, fields) => ({
        kind: "done",
        address: visit.path,
        message: "done_removed",
        cookie: forgetView(visit, fields.get("list") ?? "", fields.get("name") ?? ""),
      }),
    },
  },
};
