export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Gives the values below which a quarter and three quarters of all lie. */
export function quartiles(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return [at(0.25), at(0.75)];
}

/** A ratio that was measured many times. It lies between `low` and `high` with 95% certainty. */
export interface TypicalRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Gives the median of the means of all pairs (Hodges and Lehmann's estimate). With normal noise its
 * variance is a third smaller than that of the plain median, and a few bad rounds hardly move it.
 * The interval is that of Wilcoxon's signed-rank test.
 */
export function typicalRatio(ratios: readonly number[]): TypicalRatio {
  const logs = ratios.map(Math.log);
  const means = logs.flatMap((log, at) => logs.slice(at).map((other) => (log + other) / 2));
  means.sort((a, b) => a - b);

  const n = logs.length;
  const spread = 1.96 * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  const outside = Math.max(0, Math.floor(means.length / 2 - spread));
  const at = (index: number): number => Math.exp(means[index] ?? Number.NaN);
  return {
    ratio: at(Math.floor(means.length / 2)),
    low: at(outside),
    high: at(means.length - 1 - outside),
  };
}

/** What the sides of one work have measured in all rounds. */
export interface Measured {
  /** The median of each side. */
  readonly values: Readonly<Record<string, number>>;
  /** The least and the most of each side. */
  readonly ranges: Readonly<Record<string, { readonly least: number; readonly most: number }>>;
}

/**
 * Measures all sides in turn, `rounds` times. Another side begins each round, so that other work of
 * the machine affects all sides alike.
 */
export async function alternate(
  rounds: number,
  sides: Readonly<Record<string, () => Promise<number>>>,
): Promise<Measured> {
  const names = Object.keys(sides);
  const seen = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const at of names.keys()) {
      const name = names[(at + round) % names.length] ?? "";
      seen.get(name)?.push((await sides[name]?.()) ?? 0);
      process.stderr.write(".");
    }
  const each = <Of>(of: (values: readonly number[]) => Of): Record<string, Of> =>
    Object.fromEntries([...seen].map(([name, values]) => [name, of(values)]));
  return {
    values: each(median),
    ranges: each((values) => ({ least: Math.min(...values), most: Math.max(...values) })),
  };
}

/** Gives calls per second, one call after another in this process. */
export async function callsPerSecond(seconds: number, call: () => unknown): Promise<number> {
  for (let at = 0; at < 200; at++) await call();
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < seconds * 1_000)
    for (let at = 0; at < 50; at++, count++) await call();
  return (count / (performance.now() - started)) * 1_000;
}

/** Gives the median milliseconds of a call, within the time and number allowed, without `undo`. */
export async function msPerCall<T>(
  seconds: number,
  most: number,
  call: (index: number) => Promise<T>,
  undo: (result: T) => Promise<unknown> = async () => {},
): Promise<number> {
  const seen: number[] = [];
  let index = 0;
  const timed = async (): Promise<number> => {
    const begin = performance.now();
    const result = await call(index++);
    const took = performance.now() - begin;
    await undo(result);
    return took;
  };
  const started = performance.now();
  for (let at = 0; at < 5 || (at < 20 && performance.now() - started < seconds * 500); at++)
    await timed(); // Plans, caches and the compiler warm up.
  const warm = performance.now();
  while (seen.length < 5 || (seen.length < most && performance.now() - warm < seconds * 1_000))
    seen.push(await timed());
  return median(seen);
}

/** Gives pseudo-random numbers from 0 to 1, the same sequence each time. */
export function random(seed = 42): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Gives Zipf-distributed numbers from 0 to n-1, the same sequence each time. */
export function zipf(n: number, count: number): number[] {
  const weights = Array.from({ length: n }, (_, index) => 1 / (index + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const next = random();
  return Array.from({ length: count }, () => {
    let left = next() * total;
    for (let index = 0; index < n; index++) {
      left -= weights[index] ?? 0;
      if (left <= 0) return index;
    }
    return n - 1;
  });
}
