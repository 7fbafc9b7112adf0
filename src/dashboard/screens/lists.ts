import { type Html, html } from "../../contract/html.ts";
import { samePage } from "../addresses.ts";
import type { Visit } from "../screen.ts";

interface Paged {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export const pageSize = 25;

/** What the address says of the page of a list. */
export const pageQuery = ({ query }: Visit): { limit: number; starting_after?: string } => {
  const after = query.get("after");
  return after ? { limit: pageSize, starting_after: after } : { limit: pageSize };
};

/** Links to the first and the next page of a list; the browser's own button leads back. */
export function pager(
  visit: Visit,
  { has_more, next_cursor }: Paged,
  filters: Readonly<Record<string, string>> = {},
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
