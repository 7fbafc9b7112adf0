import { type Html, html, raw } from "../../../contract/html.ts";
import type { OwnerStats } from "../../../owner/stats/stats.ts";
import { samePage } from "../../addresses.ts";
import { monthText } from "../../format.ts";
import { fold, hidden, notice } from "../../frame/elements.ts";
import { longestPeriod, monthsUntil, periodLengths } from "../../lists/periods.ts";
import type { StoreVisit } from "../../screen.ts";
import type { Figures } from "./overview-metrics.ts";

interface Choice {
  readonly label: string;
  readonly address: string;
  readonly isCurrent: boolean;
}

const choose = (label: string, choices: readonly Choice[]): Html =>
  html`<div class="filters" role="group" aria-label="${label}">${choices.map(
    (choice) => html`<a href="${choice.address}"
${raw(choice.isCurrent ? 'aria-current="true"' : "")}>${choice.label}</a>`,
  )}</div>`;

/** Lets the reader choose a period, and a currency if the store was paid in several. */
export function choices(visit: StoreVisit, figures: Figures, stats: OwnerStats, now: number): Html {
  const { say, sayCount } = visit.language;
  const { currency, length } = figures;
  const kept = currency === visit.store.currency ? null : currency;
  const codes = stats.currencies.map((each) => each.currency);

  const periods = periodLengths.map((days) => ({
    label: sayCount("period_days", days),
    address: samePage(visit, { days: String(days), currency: kept }),
    isCurrent: days === length && !figures.isSpan,
  }));
  const months = monthsUntil(now, visit.store.timezone, 2).map(({ from, to }) => ({
    label: monthText(visit, from),
    address: samePage(visit, { from, to, currency: kept }),
    isCurrent: from === visit.query.get("from") && to === visit.query.get("to"),
  }));
  const currencies = codes.map((code) => ({
    label: code,
    address: samePage(visit, { ...spanOf(visit, figures), currency: code }),
    isCurrent: code === currency,
  }));
  return html`${codes.length > 1 ? choose(say("currency"), currencies) : null}
${choose(say("period"), [...periods, ...months])}`;
}

const spanOf = ({ query }: StoreVisit, { isSpan, length }: Figures) =>
  isSpan ? { from: query.get("from"), to: query.get("to") } : { days: String(length) };

/** Asks for any days. They become a part of the address, as the other choices do. */
export function daysForm(visit: StoreVisit, figures: Figures): Html {
  const { say, sayCount } = visit.language;
  const { points, isSpan, currency } = figures;
  const asked = { from: visit.query.get("from"), to: visit.query.get("to") };
  const isRefused = !isSpan && (asked.from ?? asked.to) !== null;
  const shown = isRefused ? asked : { from: points[0]?.start, to: points.at(-1)?.start };
  const day = (name: "from" | "to"): Html =>
    html`<div class="field date"><label for="days-${name}">${say(`filter_${name}`)}</label>
<input id="days-${name}" name="${name}" type="date" required value="${shown[name] ?? ""}"></div>`;
  const hint = sayCount("period_hint", longestPeriod);
  const body = html`<form class="search-form" method="get" action="${visit.path}">
${day("from")}${day("to")}
${hidden("currency", currency)}
<div class="actions"><button class="button">${say("period_show")}</button></div></form>
<p class="soft">${hint}</p>`;
  const fault = isRefused ? notice("bad", say("period_refused")) : null;
  return fold(say("period_own"), html`${fault}${body}`, isSpan || isRefused);
}
