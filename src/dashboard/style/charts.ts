import { type Html, html } from "../../contract/html.ts";

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
  /** Each label describes a point, and is shown when the reader points at it. */
  readonly labels: readonly string[];
  /** Writes a value beside the lines of the scale. */
  readonly scaleText: (value: number) => string;
  /** Names the first and the last day. */
  readonly ends: readonly [string, string];
}

// The drawing is stretched to the width of its place, but the strokes keep their width.
const width = 1_000;
const height = 200;

const roundFactors = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** Gives the least round number that is not below a value, such as 1,500 or 2,000. */
export function roundUp(value: number): number {
  if (value <= 2) return 2;
  const unit = 10 ** Math.floor(Math.log10(value));
  const factor = roundFactors.find((each) => each * unit >= value) ?? 10;
  return factor * unit;
}

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

/** Draws a chart with a scale, its first and last day, and a text for each point. */
export function fullChart(chart: FullChart): Html {
  const [low, high] = reachOf(chart);
  const marks = [high, (high + low) / 2, low];
  const rules = [0, height / 2, height].map(
    (y) => html`<path class="chart-rule" d="M0 ${y}H${width}"/>`,
  );

  const column = width / chart.labels.length;
  const hits = chart.labels.map(
    (label, index) =>
      html`<rect class="hit" x="${rounded(index * column)}" y="0" width="${rounded(column)}"
height="${height}"><title>${label}</title></rect>`,
  );
  return html`<div class="chart"><div class="scale" aria-hidden="true">${marks.map(
    (mark) => html`<span>${chart.scaleText(mark)}</span>`,
  )}</div>${drawing(chart, html`${rules}${lines(chart)}${hits}`)}
<div class="ends" aria-hidden="true"><span>${chart.ends[0]}</span><span>${chart.ends[1]}</span>
</div></div>`;
}
