import { type Html, html, raw } from "../../contract/html.ts";
import type { OwnerStats, StatsNumbers, StatsPoint } from "../../owner/stats.ts";
import { samePage } from "../addresses.ts";
import { fullChart, sparkline } from "../charts.ts";
import { badge, card, type Tone, table } from "../elements.ts";
import { amountText, changeText, countText, dayText, shortAmount, timeTag } from "../format.ts";
import { periodLengths, periodsOf, pointsOf, readLength } from "../periods.ts";
import type { StoreVisit } from "../screen.ts";

/** The figures of a period and of the one before it, day by day. */
interface Figures {
  readonly currency: string;
  readonly length: number;
  readonly points: readonly StatsPoint[];
  readonly before: readonly StatsPoint[];
}

interface Metric {
  readonly name: "gross" | "orders" | "refunds" | "failed";
  readonly of: (numbers: StatsNumbers) => number;
  readonly isMoney: boolean;
  /** What a higher number than before means to the owner. */
  readonly rise: Tone;
  readonly fall: Tone;
}

const gross: Metric = {
  name: "gross",
  of: ({ amount_gross }) => amount_gross,
  isMoney: true,
  rise: "good",
  fall: "bad",
};

const smallMetrics: readonly Metric[] = [
  {
    name: "orders",
    of: ({ orders_paid }) => orders_paid,
    isMoney: false,
    rise: "good",
    fall: "bad",
  },
  {
    name: "refunds",
    of: ({ amount_refunded }) => amount_refunded,
    isMoney: true,
    rise: "bad",
    fall: "good",
  },
  {
    name: "failed",
    of: ({ payments_failed }) => payments_failed,
    isMoney: false,
    rise: "bad",
    fall: "good",
  },
];

const writer =
  (visit: StoreVisit, { currency }: Figures, { isMoney }: Metric) =>
  (value: number): string =>
    isMoney ? amountText(visit, value, currency) : countText(visit, value);

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

/** What both kinds of charts need, in words too. */
function chartOf(visit: StoreVisit, figures: Figures, metric: Metric) {
  const { say } = visit.language;
  const write = writer(visit, figures, metric);
  const values = figures.points.map(metric.of);
  const before = figures.before.map(metric.of);
  const most = Math.max(...values);
  const day = figures.points[values.indexOf(most)]?.start ?? "";
  return {
    id: `chart-${metric.name}`,
    title: say(`metric_${metric.name}`),
    text: say("chart_text", {
      total: write(sum(values)),
      before: write(sum(before)),
      most: write(most),
      day: dayText(visit, day),
      days: figures.length,
    }),
    values,
    before,
  };
}

/** The sum of the period, and how it compares with the one before. */
function headline(visit: StoreVisit, figures: Figures, metric: Metric): Html {
  const { say } = visit.language;
  const write = writer(visit, figures, metric);
  const now = sum(figures.points.map(metric.of));
  const before = sum(figures.before.map(metric.of));

  const tone = now === before ? "plain" : now > before ? metric.rise : metric.fall;
  const change = before > 0 ? badge(tone, changeText(visit, (now - before) / before)) : null;
  return html`<div class="stat"><h3>${say(`metric_${metric.name}`)}</h3>
<strong>${write(now)}</strong>${change}
<span class="soft">${say("metric_before", { before: write(before) })}</span></div>`;
}

function largeCard(visit: StoreVisit, figures: Figures): Html {
  const { say } = visit.language;
  const { points, before, currency, length } = figures;
  const write = writer(visit, figures, gross);
  const chart = fullChart({
    ...chartOf(visit, figures, gross),
    scaleText: (value) => shortAmount(visit, value, currency),
    ends: [dayText(visit, points[0]?.start ?? ""), dayText(visit, points.at(-1)?.start ?? "")],
    labels: points.map((point, index) =>
      say("chart_point", {
        day: dayText(visit, point.start),
        value: write(gross.of(point)),
        days: length,
        before: write(before[index]?.amount_gross ?? 0),
      }),
    ),
  });
  return html`<section class="card wide">${headline(visit, figures, gross)}${chart}
<ul class="legend" aria-hidden="true"><li>${say("period_now", { days: length })}</li>
<li>${say("period_before", { days: length })}</li></ul></section>`;
}

const smallCard = (visit: StoreVisit, figures: Figures, metric: Metric): Html =>
  html`<section class="card">${headline(visit, figures, metric)}
${sparkline(chartOf(visit, figures, metric))}</section>`;

/** The same figures as a table, the newest day first. */
function figuresTable(visit: StoreVisit, figures: Figures): Html {
  const { say } = visit.language;
  const metrics = [gross, ...smallMetrics];
  const rows = figures.points
    .toReversed()
    .map((point) => [
      html`<time datetime="${point.start}">${dayText(visit, point.start)}</time>`,
      ...metrics.map((metric) => writer(visit, figures, metric)(metric.of(point))),
    ]);
  const columns = [say("day"), ...metrics.map(({ name }) => say(`metric_${name}`))];
  return html`<details class="card"><summary>${say("figures_by_day")}</summary>
${table({ caption: say("figures_by_day"), columns, rows })}</details>`;
}

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

/** The choice of a period, and of a currency where the store was paid in several. */
function choices(visit: StoreVisit, figures: Figures, stats: OwnerStats): Html {
  const { say } = visit.language;
  const { currency, length } = figures;
  const kept = currency === visit.store.currency ? null : currency;
  const codes = stats.currencies.map((each) => each.currency);

  const periods = periodLengths.map((days) => ({
    label: say("period_days", { days }),
    address: samePage(visit, { days: String(days), currency: kept }),
    isCurrent: days === length,
  }));
  const currencies = codes.map((code) => ({
    label: code,
    address: samePage(visit, { days: String(length), currency: code }),
    isCurrent: code === currency,
  }));
  return html`${codes.length > 1 ? choose(say("currency"), currencies) : null}
${choose(say("period"), periods)}`;
}

/** What was sold in the period that the address asks for, or a line that says that nothing was. */
export async function numbers(visit: StoreVisit): Promise<Html> {
  const { parts, store, livemode, query, language } = visit;
  const { say } = language;
  const length = readLength(query.get("days"));
  const periods = periodsOf(parts.now(), store.timezone, length);
  const { from, to } = periods;
  const stats = await parts.owner.stats({
    store_id: store.id,
    livemode,
    from,
    to,
    interval: "day",
  });
  const codes = stats.currencies.map((each) => each.currency);
  const wanted = query.get("currency") ?? store.currency;
  const currency = codes.includes(wanted) ? wanted : (codes[0] ?? store.currency);
  const figures: Figures = {
    currency,
    length,
    points: pointsOf(stats, currency, periods.days),
    before: pointsOf(stats, currency, periods.before),
  };

  const bar = html`<div class="bar"><h2>${say("numbers_title")}</h2>
${choices(visit, figures, stats)}</div>`;
  if (codes.length === 0)
    return html`${bar}${card(null, html`<p>${say("numbers_none", { days: length })}</p>`)}`;

  const since = stats.complete_from;
  const note =
    since !== null && since > from
      ? html`<p class="soft">${say("counted_since")} ${timeTag(visit, since)}</p>`
      : null;
  return html`${bar}
<div class="stats">${largeCard(visit, figures)}${smallMetrics.map((metric) =>
    smallCard(visit, figures, metric),
  )}</div>${note}${figuresTable(visit, figures)}`;
}
