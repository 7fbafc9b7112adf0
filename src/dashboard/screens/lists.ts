import { type Html, html } from "../../contract/html.ts";
import { samePage } from "../addresses.ts";
import { emptyList, notice, type Row, type Table, table } from "../frame/elements.ts";
import type { TextName } from "../language.ts";
import type { Filters } from "../lists/filters.ts";
import { sortFilter } from "../lists/sorts.ts";
import type { StoreVisit, Visit } from "../screen.ts";
import { viewsBar } from "./views.ts";

interface Paged {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export const pageSize = 25;

/** The page of a list without a result. */
export const emptyPage = { data: [], has_more: false, next_cursor: null } as const;

/** Reads what the address says of the page of a list. */
export const pageQuery = ({ query }: Visit): { limit: number; starting_after?: string } => {
  const after = query.get("after");
  return after ? { limit: pageSize, starting_after: after } : { limit: pageSize };
};

/** Links to the first and the next page of a list; the browser's own button leads back. */
export function pager(
  visit: Visit,
  { has_more, next_cursor }: Paged,
  filters: Filters = {},
): Html | null {
  const isFirst = !visit.query.has("after");
  if (isFirst && !has_more) return null;

  const { say } = visit.language;
  const first = isFirst
    ? null
    : html`<a class="button small" href="${samePage(visit, filters)}">${say("first_page")}</a>`;
  const next = has_more
    ? html`<a class="button small" rel="next"
href="${samePage(visit, { ...filters, after: next_cursor })}">${say("next_page")}</a>`
    : null;
  return html`<nav class="pager" aria-label="${say("pages")}">${first}${next}</nav>`;
}

/** Renders what stands above a list: its filters, and the link to its file. */
export const listTools = (tools: Html | null, download: Html | null): Html | null =>
  download === null ? tools : html`<div class="tools"><div>${tools}</div>${download}</div>`;

interface List {
  readonly caption: string;
  readonly columns: Table["columns"];
  readonly rows: readonly Row[];
  readonly amounts?: number;
  readonly page: Paged;
  readonly filters: Filters;
  /** The filters above the list. */
  readonly tools: Html | null;
  /** Stands between the filters and the rows. */
  readonly between?: Html | null;
  /** Links to the list as a file. */
  readonly download?: Html | null;
  /** What is wrong with the filters. */
  readonly fault?: TextName | null;
  /** An empty list shows these texts when no filter is set. */
  readonly empty: {
    readonly title: TextName;
    readonly text: TextName;
    readonly action?: Html | null;
  };
}

/** Renders a list with its filters. Without a row it tells why it is empty. */
export function listBody(visit: Visit, list: List): Html {
  const { say } = visit.language;
  const { rows, filters, page, tools, fault = null, empty } = list;
  const views = "store" in visit ? viewsBar(visit as StoreVisit, filters) : null;
  if (fault !== null) return html`${tools}${notice("bad", say(fault))}`;
  const above = listTools(tools, list.download ?? null);
  const between = list.between ?? null;
  if (rows.length > 0)
    return html`${above}${views}${between}${table(list)}${pager(visit, page, filters)}`;

  const isFiltered =
    Object.keys(filters).some((name) => name !== sortFilter) || visit.query.has("after");
  if (!isFiltered) return emptyList(say(empty.title), say(empty.text), empty.action ?? null);
  const all = html`<a class="button" href="${visit.path}">${say("filter_none")}</a>`;
  const text = page.has_more ? "nothing_fits_yet" : "nothing_fits_text";
  return html`${tools}${views}${emptyList(say("nothing_fits_title"), say(text), all)}
${page.has_more ? pager(visit, page, filters) : null}`;
}
