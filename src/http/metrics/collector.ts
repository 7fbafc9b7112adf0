import type { Observer } from "../observe/observer.ts";
import { type MetricLabels, type Recorder, recordingObserver } from "./recording-observer.ts";
import { type Counter, createCounter, createHistogram, type Histogram } from "./samples.ts";
import { type MetricName, metricRows } from "./table.ts";
import type { Metric } from "./text.ts";

export interface Collector {
  readonly observer: Observer;
  metrics(): readonly Metric[];
}

/** Sums what this process does, from its start. */
export function createCollector(labels: MetricLabels): Collector {
  const counters = new Map<MetricName, Counter>();
  const histograms = new Map<MetricName, Histogram>();
  for (const [metric, { type, boundaries }] of metricRows) {
    if (type === "counter") counters.set(metric, createCounter());
    if (type === "histogram") histograms.set(metric, createHistogram(boundaries ?? []));
  }

  const recorder: Recorder = {
    add: (metric, added, amount) => counters.get(metric)?.add(added, amount),
    observe: (metric, added, seconds) => histograms.get(metric)?.observe(added, seconds),
  };

  return {
    observer: recordingObserver(recorder, labels),
    metrics: () =>
      metricRows.flatMap(([metric, { name, help, type }]) => {
        const counter = counters.get(metric);
        const samples = counter ? { "": counter.samples() } : histograms.get(metric)?.samples();
        return samples ? [{ name, help, type, samples }] : [];
      }),
  };
}
