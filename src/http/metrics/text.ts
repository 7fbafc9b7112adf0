import type { GaugeValue } from "../observe/observer.ts";
import type { Sample } from "./samples.ts";
import { metricRows } from "./table.ts";

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /**
   * The samples are listed by the suffix of the metric's name. Only a histogram has
   * suffixes.
   */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
}

export const textType = "text/plain; version=0.0.4; charset=utf-8";

/** Lists the gauges that have a value, in the order of the table. */
export const gaugeMetrics = (values: readonly GaugeValue[]): readonly Metric[] =>
  metricRows.flatMap(([metric, { name, help, type }]) => {
    const samples = values.filter((value) => value.metric === metric);
    return samples.length === 0 ? [] : [{ name, help, type, samples: { "": samples } }];
  });

/** Writes metrics in Prometheus' text format 0.0.4. */
export const renderMetrics = (metrics: readonly Metric[]): string =>
  metrics.map(renderMetric).join("");

function renderMetric({ name, help, type, samples }: Metric): string {
  const lines = Object.entries(samples).flatMap(([suffix, ofSuffix]) =>
    ofSuffix.map(({ labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`),
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelText(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
