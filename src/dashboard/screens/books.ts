import { type Html, html, raw } from "../../contract/html.ts";
import { booksLines } from "../../owner/exports/books/lines.ts";
import { longestMs, type OwnerStats } from "../../owner/stats/stats.ts";
import { may } from "../access/access.ts";
import { inStore } from "../addresses.ts";
import { amountText, monthText } from "../format.ts";
import { actionLink, card, notice, table } from "../frame/elements.ts";
import type { TextName } from "../language.ts";
import { type Filters, filtersOf, type Range, readRange, requireRange } from "../lists/filters.ts";
import { firstHour, monthsUntil } from "../lists/periods.ts";
import { type Download, type Screen, type StoreVisit, timeOf } from "../screen.ts";

const filterNames = ["from", "to", "lines"];

const monthsShown = 3;

const monthsOf = async (visit: StoreVisit) =>
  monthsUntil(await timeOf(visit), visit.store.timezone, monthsShown);
type Months = Awaited<ReturnType<typeof monthsOf>>;

/** Reads the filters. The present month stands in where the address names no days. */
function periodOf(visit: StoreVisit, [month]: Months): Filters {
  const filters = filtersOf(visit, filterNames);
  return "from" in filters && "to" in filters ? filters : { ...filters, ...month };
}

const linesOf = ({ lines }: Filters) => booksLines.find((each) => each === lines) ?? "movements";

/** Gives the whole hours of the days: the books are added up by the hour. */
const hoursOf = ({ created_from = 0, created_to = 0 }: Range) => ({
  from: firstHour(created_from),
  to: firstHour(created_to),
});

/** Reads the days. Says what is wrong with them. */
function spanOf(visit: StoreVisit, filters: Filters) {
  const range = readRange(visit, filters);
  if (typeof range === "string") return range;
  if (range.created_from === undefined || range.created_to === undefined) return "fault_time";
  const span = hoursOf(range);
  return span.to - span.from > longestMs ? "books_too_long" : span;
}

export const booksDownload: Download = {
  path: "books/export.csv",
  action: "exports",
  async open(visit) {
    const { parts, store, livemode, language, access } = visit;
    const filters = periodOf(visit, await monthsOf(visit));
    return parts.owner.exportBooks({
      store_id: store.id,
      livemode,
      ...hoursOf(requireRange(visit, filters)),
      lines: linesOf(filters),
      locale: language.locale,
      tax_ids: may(access, "exports.tax_ids"),
    });
  },
};

/** Links to the books, from the days of a list where it shows some. */
export const booksLink = (visit: StoreVisit, { from, to }: Filters = {}): Html | null =>
  actionLink(visit, "exports", {
    label: "books_link",
    address: inStore(visit, ["books"], from && to ? { from, to } : {}),
    kind: "small",
  });

/** Chooses the days and what a line is. Without a script it is sent like every other form. */
function choice(visit: StoreVisit, filters: Filters): Html {
  const { say } = visit.language;
  const day = (name: "from" | "to", label: TextName): Html =>
    html`<div class="field date"><label for="books-${name}">${say(label)}</label>
<input id="books-${name}" name="${name}" type="date" value="${filters[name] ?? ""}"></div>`;
  const options = booksLines.map(
    (value) => html`<option value="${value}"
${raw(value === linesOf(filters) ? "selected" : "")}>${say(`books_${value}`)}</option>`,
  );
  return html`<form class="search-form" method="get" action="${visit.path}">
${day("from", "filter_from")}${day("to", "filter_to")}
<div class="field choice"><label for="books-lines">${say("books_lines")}</label>
<select id="books-lines" name="lines">${options}</select></div>
<div class="actions"><button class="button">${say("books_show")}</button></div></form>`;
}

function months(visit: StoreVisit, filters: Filters, all: Months): Html {
  const chosen = all.find(({ from, to }) => from === filters["from"] && to === filters["to"]);
  const links = all.map(({ from, to }) => {
    const address = inStore(visit, ["books"], { from, to, lines: linesOf(filters) });
    const mark = raw(from === chosen?.from ? 'aria-current="true"' : "");
    return html`<a href="${address}" ${mark}>${monthText(visit, from)}</a>`;
  });
  return html`<div class="filters" role="group"
aria-label="${visit.language.say("period")}">${links}</div>`;
}

function sums(visit: StoreVisit, { currencies, complete_from }: OwnerStats): Html {
  const { say } = visit.language;
  if (currencies.length === 0) return notice("plain", say("books_empty"));
  const rows = currencies.map(({ currency, totals }) => {
    const tells = totals.fees_told > 0 || totals.amount_fees > 0;
    const shown = (amount: number): string => amountText(visit, amount, currency);
    return [
      currency,
      shown(totals.amount_gross),
      shown(totals.amount_refunded),
      shown(totals.amount_disputes_lost),
      shown(totals.amount_net),
      tells ? shown(totals.amount_fees) : say("fees_not_told"),
      tells ? shown(totals.amount_after_fees) : "—",
    ];
  });
  const columns = [
    say("currency"),
    say("metric_gross"),
    say("metric_refunds"),
    say("books_chargebacks"),
    say("metric_net"),
    say("metric_fees"),
    say("metric_after_fees"),
  ];
  const older = complete_from === null ? null : notice("warn", say("books_older"));
  return html`${table({ caption: say("books_sums"), columns, rows })}${older}`;
}

/** Shows what the file for an accountant will add up to. */
export const booksScreen: Screen = {
  path: "books",
  section: "orders",
  action: "exports",

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const all = await monthsOf(visit);
    const filters = periodOf(visit, all);
    const span = spanOf(visit, filters);
    const above = html`${months(visit, filters, all)}${choice(visit, filters)}`;
    const crumbs = [{ label: say("section_orders"), address: inStore(visit, ["orders"]) }];
    const view = { title: say("books_title"), lead: say("books_lead"), crumbs };
    if (typeof span === "string")
      return { ...view, body: html`${above}${notice("bad", say(span))}` };

    const where = { store_id: store.id, livemode };
    const stats = await parts.owner.stats({ ...where, ...span, interval: "month" });
    const address = inStore(visit, ["books", "export.csv"], filters);
    const file = html`<a class="button primary" href="${address}">${say("books_download")}</a>`;
    const masked = may(visit.access, "exports.tax_ids") ? "books_tax_ids" : "books_no_tax_ids";
    return {
      ...view,
      primary: file,
      body: html`${above}${card(say("books_sums"), sums(visit, stats))}
<p class="soft">${say(masked)}</p>`,
    };
  },
};
