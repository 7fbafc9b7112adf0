/** One value of a metric, with the labels that tell it from the metric's other values. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A sum that only grows, with one value for each set of labels. */
export interface Counter {
  add(labels: Readonly<Record<string, string>>, amount?: number): void;
  samples(): readonly Sample[];
}

export function createCounter(): Counter {
  const sums = new Map<string, { readonly labels: Sample["labels"]; value: number }>();

  const add: Counter["add"] = (labels, amount = 1) => {
    const name = JSON.stringify(labels);
    const sum = sums.get(name) ?? { labels, value: 0 };
    sum.value += amount;
    sums.set(name, sum);
  };
  return { add, samples: () => [...sums.values()] };
}

/** Counts durations by their length. */
export interface Histogram {
  observe(labels: Readonly<Record<string, string>>, seconds: number): void;
  /** Gives the samples of `_bucket`, `_sum` and `_count`, by their suffix. */
  samples(): Readonly<Record<"_bucket" | "_sum" | "_count", readonly Sample[]>>;
}

/** Makes a histogram. `boundaries` are in seconds, and the smallest comes first. */
export function createHistogram(boundaries: readonly number[]): Histogram {
  const buckets = createCounter();
  const sums = createCounter();
  const counts = createCounter();

  return {
    observe(labels, seconds) {
      // A bucket counts every duration up to its boundary, those of the lower buckets too.
      for (const boundary of boundaries)
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
