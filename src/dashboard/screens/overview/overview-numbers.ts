import { type Html, html } from "../../../contract/html.ts";
import { inStore } from "../../addresses.ts";
import {
  amountText,
  changeText,
  countText,
  dayText,
  pointsText,
  shareText,
  shortAmount,
  timeTag,
} from "../../format.ts";
import { badge, card, table } from "../../frame/elements.ts";
import {
  type DayNumbers,
  periodsOf,
  pointsOf,
  readLength,
  readSpan,
  salesSpan,
} from "../../lists/periods.ts";
import { type StoreVisit, timeOf } from "../../screen.ts";
import { fullChart, sparkline, spread } from "../../style/charts.ts";
import { methodsCard, methodsOf } from "./overview-methods.ts";
import {
  changeFrom,
  type Figures,
  feesKnown,
  gross,
  isEnough,
  type Metric,
  smallMetrics,
  toneOf,
} from "./overview-metrics.ts";
import { choices, daysForm } from "./overview-period.ts";
import { salesCards } from "./overview-sales.ts";

const writer =
  (visit: StoreVisit, { currency }: Figures, { kind, name }: Metric) =>
  (value: number | null): string => {
    if (value === null) return name === "fees" ? visit.language.say("fees_not_told") : "—";
    if (kind === "share") return shareText(visit, value);
    return kind === "money" ? amountText(visit, value, currency) : countText(visit, value);
  };

/** Prepares what both kinds of charts need, including a description in words. */
function chartOf(visit: StoreVisit, figures: Figures, metric: Metric) {
  const { say, sayCount } = visit.language;
  const write = writer(visit, figures, metric);
  const byDay = (days: readonly DayNumbers[]) => days.map((day) => metric.of([day]) ?? 0);
  const values = byDay(figures.points);
  const most = Math.max(...values);
  const day = figures.points[values.indexOf(most)]?.start ?? "";
  return {
    id: `chart-${metric.name}`,
    title: say(`metric_${metric.name}`),
    text: sayCount(figures.isSpan ? "chart_text_span" : "chart_text", figures.length, {
      total: write(metric.of(figures.points)),
      before: write(metric.of(figures.before)),
      most: write(most),
      day: dayText(visit, day),
    }),
    values,
    before: byDay(figures.before),
    top: metric.kind === "share" ? 1 : null,
  };
}

/**
 * Gives how a number has changed: a share in points, anything else in parts of the number
 * before. Gives null where there is too little to compare with.
 */
function changeOf(metric: Metric, { points, before }: Figures): number | null {
  const now = metric.of(points);
  const then = metric.of(before);
  if (now === null || then === null) return null;
  const base = metric.base(before);
  if (metric.kind === "share") return isEnough(base) ? now - then : null;
  return changeFrom(then, now, base);
}

const feesText = (visit: StoreVisit, { told, of }: { told: number; of: number }): string =>
  visit.language.sayCount("fees_known", of, { told: countText(visit, told) });

function changeBadge(visit: StoreVisit, metric: Metric, change: number): Html {
  const isShare = metric.kind === "share";
  const text = isShare
    ? visit.language.say("change_points", { change: pointsText(visit, change) })
    : changeText(visit, change);
  return badge(toneOf(change, metric), text);
}

/** Shows the number of the period, and how it compares with the one before. */
function headline(visit: StoreVisit, figures: Figures, metric: Metric): Html {
  const { say } = visit.language;
  const write = writer(visit, figures, metric);
  const now = metric.of(figures.points);
  const before = metric.of(figures.before);
  const change = changeOf(metric, figures);
  const known = metric.name === "fees" ? feesKnown(figures) : null;
  return html`<div class="stat"><h3>${say(`metric_${metric.name}`)}</h3>
<strong>${write(now)}</strong>${change === null ? null : changeBadge(visit, metric, change)}
${
  now === null && before === null
    ? null
    : html`<span class="soft">${say("metric_before", { before: write(before) })}</span>`
}
${known && html`<span class="soft">${feesText(visit, known)}</span>`}</div>`;
}

function largeCard(visit: StoreVisit, figures: Figures): Html {
  const { say, sayCount } = visit.language;
  const { points, before, currency, length, isSpan } = figures;
  const now = isSpan ? "period_span" : "period_now";
  const write = writer(visit, figures, gross);
  const chart = fullChart({
    ...chartOf(visit, figures, gross),
    scaleText: (value) => shortAmount(visit, value, currency),
    days: spread(points).map(({ start }) => dayText(visit, start)),
    choose: say("chart_choose", { title: say("metric_gross") }),
    labels: points.map((point, index) =>
      sayCount("chart_point", before.length, {
        day: dayText(visit, point.start),
        value: write(gross.of([point])),
        before: write(before[index]?.amount_gross ?? null),
      }),
    ),
  });
  return html`<section class="card wide">${headline(visit, figures, gross)}${chart}
<ul class="legend" aria-hidden="true"><li>${sayCount(now, length)}</li>
<li>${sayCount("period_before", before.length)}</li></ul></section>`;
}

/** Draws nothing of a number that neither period has, such as fees that nobody tells. */
function smallCard(visit: StoreVisit, figures: Figures, metric: Metric): Html {
  const isKnown = metric.of(figures.points) !== null || metric.of(figures.before) !== null;
  const drawn = isKnown ? sparkline(chartOf(visit, figures, metric)) : null;
  return html`<section class="card">${headline(visit, figures, metric)}
${drawn}</section>`;
}

/**
 * The lists that show what a day's number counts. Refunds have no filter by day, and a sum has no
 * list.
 */
const listsOf = {
  gross: null,
  net: null,
  fees: null,
  after_fees: null,
  orders: { path: "orders" },
  average: null,
  conversion: { path: "checkout-sessions" },
  refunds: null,
  failed: { path: "payments", status: "failed" },
  agents: null,
} as const;

/** Makes the cells of a metric: the number of a day, with a link to what it counts. */
function dayCells(visit: StoreVisit, figures: Figures, metric: Metric) {
  const write = writer(visit, figures, metric);
  const list = listsOf[metric.name];
  if (list === null) return (point: DayNumbers): string => write(metric.of([point]));

  const { path, ...filters } = list;
  const address = inStore(visit, [path], filters);
  const first = address.includes("?") ? "&" : "?";
  return (point: DayNumbers): Html | string => {
    const number = metric.of([point]);
    const day = `${first}from=${point.start}&to=${point.start}`;
    return number ? html`<a href="${address}${day}">${write(number)}</a>` : write(number);
  };
}

/** Shows the same figures as a table, the newest day first. */
function figuresTable(visit: StoreVisit, figures: Figures): Html {
  const { say } = visit.language;
  const metrics = [gross, ...smallMetrics(figures)];
  const cells = metrics.map((metric) => dayCells(visit, figures, metric));
  const methods = methodsOf(figures.points).map(({ type }) => type);
  const rows = figures.points.toReversed().map((point) => [
    html`<time datetime="${point.start}">${dayText(visit, point.start)}</time>`,
    ...cells.map((cell) => cell(point)),
    ...methods.map((type) => {
      const method = point.by_method.find((each) => each.type === type);
      return amountText(visit, method?.amount_gross ?? 0, figures.currency);
    }),
  ]);
  const columns = [
    say("day"),
    ...metrics.map(({ name }) => say(`metric_${name}`)),
    ...methods.map((type) => say(`method_${type}`)),
  ];
  return html`<details class="card"><summary>${say("figures_by_day")}</summary>
${table({ caption: say("figures_by_day"), columns, rows })}</details>`;
}

/** Shows what was sold in the period of the address, or says that nothing was sold. */
export async function numbers(visit: StoreVisit): Promise<Html> {
  const { parts, store, livemode, query, language } = visit;
  const { say, sayCount } = language;
  const now = await timeOf(visit);
  const span = readSpan(query, now, store.timezone);
  const length = span?.length ?? readLength(query.get("days"));
  const periods = periodsOf(now, store.timezone, length, span);
  const { from, to } = periods;
  const own = { store_id: store.id, livemode };
  const { timezone } = store;
  const [stats, sales] = await Promise.all([
    parts.owner.stats({ ...own, from, to, interval: "day", timezone }),
    parts.owner.sales({ ...own, ...salesSpan(periods), limit: 5 }),
  ]);
  const codes = stats.currencies.map((each) => each.currency);
  const wanted = query.get("currency") ?? store.currency;
  const currency = codes.includes(wanted) ? wanted : (codes[0] ?? store.currency);
  const figures: Figures = {
    currency,
    length,
    isSpan: span !== null,
    points: pointsOf(stats, currency, periods.days),
    before: pointsOf(stats, currency, periods.before),
  };

  const bar = html`<div class="bar"><h2>${say("numbers_title")}</h2>
${choices(visit, figures, stats, now)}</div>${daysForm(visit, figures)}`;
  if (codes.length === 0) {
    const none = span ? say("numbers_none_span") : sayCount("numbers_none", length);
    return html`${bar}${card(null, html`<p>${none}</p>`)}`;
  }

  const since = [stats.complete_from, sales.complete_from].reduce((a, b) =>
    a === null || (b !== null && b > a) ? b : a,
  );
  const note =
    since !== null && since > from
      ? html`<p class="soft">${say("counted_since")} ${timeTag(visit, since)}</p>`
      : null;
  const small = smallMetrics(figures).map((metric) => smallCard(visit, figures, metric));
  const tables = [
    salesCards(visit, sales, figures),
    methodsCard(visit, figures),
    figuresTable(visit, figures),
  ].filter((table) => table !== null);
  return html`${bar}
<div class="stats">${largeCard(visit, figures)}${small}</div>${note}${tables}`;
}
