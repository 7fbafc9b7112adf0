import { type Html, html } from "../../contract/html.ts";
import { leastRound } from "../../domain/round-number.ts";

interface Chart {
  /** The id is unique in the page. */
  readonly id: string;
  readonly title: string;
  /** Tells screen readers what the chart shows. */
  readonly text: string;
  readonly values: readonly number[];
  /**
   * The values of the period before, as many as `values`. They are drawn
   * behind as a dashed line.
   */
  readonly before: readonly number[];
  /**
   * The value at the top of the chart. When it is null, the top is a round
   * number not below any value.
   */
  readonly top: number | null;
}

interface FullChart extends Chart {
  /** Each label describes a point, and is shown when the reader points at it or chooses it. */
  readonly labels: readonly string[];
  /** Asks the reader to choose a point. */
  readonly choose: string;
  /** Writes a value beside the lines of the scale. */
  readonly scaleText: (value: number) => string;
  /** Names the days along the chart, evenly spread: the first and the last are its ends. */
  readonly days: readonly string[];
}

// The drawing is stretched to the width of its place, but the strokes keep their width.
const width = 1_000;
const height = 200;

const roundFactors = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** Gives the top of a scale: a round number that is not below a value, such as 1,500. */
export const roundUp = (value: number): number =>
  value <= 2 ? 2 : leastRound(value, roundFactors);

/** Gives the least and the greatest value of a chart's scale. */
const reachOf = ({ values, before, top }: Chart): readonly [low: number, high: number] => {
  const all = [...values, ...before];
  return [Math.min(0, ...all), top ?? roundUp(Math.max(0, ...all))];
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

function pathOf(values: readonly number[], [low, high]: readonly [number, number]): string {
  const step = values.length < 2 ? width : width / (values.length - 1);
  const points = values.map((value, index) => {
    const y = height - ((value - low) / (high - low)) * height;
    return `${rounded(index * step)} ${rounded(y)}`;
  });
  return `M${points.join("L")}`;
}

function lines(chart: Chart): Html {
  const reach = reachOf(chart);
  const line = pathOf(chart.values, reach);
  return html`<path class="chart-area" d="${line}L${width} ${height}L0 ${height}Z"/>
<path class="chart-before" d="${pathOf(chart.before, reach)}"/>
<path class="chart-line" d="${line}"/>`;
}

const drawing = ({ id, title, text }: Chart, body: Html): Html =>
  html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img"
aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${title}</title>
<desc id="${id}-text">${text}</desc>${body}</svg>`;

/** Draws a small chart without a scale. */
export const sparkline = (chart: Chart): Html =>
  html`<div class="chart small">${drawing(chart, lines(chart))}</div>`;

/** Chooses at most five places of a list, evenly spread, with its first and its last. */
export function spread<T>(list: readonly T[]): readonly T[] {
  const marks = Math.min(list.length, 5);
  return Array.from({ length: marks }, (_, mark) => {
    const index = marks < 2 ? 0 : Math.round((mark * (list.length - 1)) / (marks - 1));
    return list.slice(index, index + 1);
  }).flat();
}

/**
 * Lays a row of radio buttons over the drawing, one for each point. So a finger chooses a point,
 * and a keyboard goes from one to the next by its arrows, with one stop of Tab and no script.
 */
function points({ id, labels, choose }: FullChart): Html {
  const choices = labels.map(
    (label) => html`<label><input type="radio" name="${id}-point"><span class="mark"></span>
<span class="tip">${label}</span></label>`,
  );
  return html`<div class="points" role="radiogroup" aria-label="${choose}">${choices}</div>`;
}

/** Draws a chart with a scale, its days, and a text for each point. */
export function fullChart(chart: FullChart): Html {
  const [low, high] = reachOf(chart);
  const marks = [high, (high + low) / 2, low];
  const rules = [0, height / 2, height].map(
    (y) => html`<path class="chart-rule" d="M0 ${y}H${width}"/>`,
  );
  return html`<div class="chart"><div class="scale" aria-hidden="true">${marks.map(
    (mark) => html`<span>${chart.scaleText(mark)}</span>`,
  )}</div><div class="plot">${drawing(chart, html`${rules}${lines(chart)}`)}${points(chart)}</div>
<div class="days" aria-hidden="true">${chart.days.map((day) => html`<span>${day}</span>`)}
</div></div>`;
}
