/** One value of a metric, with the labels that tell it from the metric's other values. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A sum that only grows, kept for each set of labels. */
export interface Counter {
  add(labels: Readonly<Record<string, string>>, amount?: number): void;
  samples(): readonly Sample[];
}

/** An alert on an increase needs the value before it: `first` begins at zero. */
export function createCounter(first: readonly Sample["labels"][] = []): Counter {
  const sums = new Map<string, { readonly labels: Sample["labels"]; value: number }>();

  const add: Counter["add"] = (labels, amount = 1) => {
    const name = JSON.stringify(labels);
    const sum = sums.get(name) ?? { labels, value: 0 };
    sum.value += amount;
    sums.set(name, sum);
  };
  for (const labels of first) add(labels, 0);

  return { add, samples: () => [...sums.values()] };
}

/** Durations, counted by their length. */
export interface Histogram {
  observe(labels: Readonly<Record<string, string>>, seconds: number): void;
  /** The samples of `_bucket`, `_sum` and `_count`, by their suffix. */
  samples(): Readonly<Record<"_bucket" | "_sum" | "_count", readonly Sample[]>>;
}

/** The boundaries that OpenTelemetry's HTTP conventions name, in seconds. */
export const durationBoundaries: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

export function createHistogram(): Histogram {
  const buckets = createCounter();
  const sums = createCounter();
  const counts = createCounter();

  return {
    observe(labels, seconds) {
      // A bucket counts every duration up to its boundary, those of the lower buckets too.
      for (const boundary of durationBoundaries)
        buckets.add({ ...labels, le: String(boundary) }, seconds <= boundary ? 1 : 0);
      buckets.add({ ...labels, le: "+Inf" });
      sums.add(labels, seconds);
      counts.add(labels);
    },
    samples: () => ({
      _bucket: buckets.samples(),
      _sum: sums.samples(),
      _count: counts.samples(),
    }),
  };
}
