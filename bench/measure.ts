export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Each side in turn, `rounds` times, begun by another side each round: what the machine does meanwhile hits all alike. Gives medians. */
export async function alternate(
  rounds: number,
  sides: Readonly<Record<string, () => Promise<number>>>,
): Promise<Record<string, number>> {
  const names = Object.keys(sides);
  const seen = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const at of names.keys()) {
      const name = names[(at + round) % names.length] ?? "";
      seen.get(name)?.push((await sides[name]?.()) ?? 0);
      process.stderr.write(".");
    }
  return Object.fromEntries([...seen].map(([name, values]) => [name, median(values)]));
}

/** Calls per second of one after another, within this process. */
export async function callsPerSecond(seconds: number, call: () => unknown): Promise<number> {
  for (let at = 0; at < 200; at++) await call();
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < seconds * 1_000)
    for (let at = 0; at < 50; at++, count++) await call();
  return (count / (performance.now() - started)) * 1_000;
}

/** Median milliseconds of a call, made until the time or the calls are over; `undo` is not timed. */
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
    await timed(); // plans, caches and the compiler warm up
  const warm = performance.now();
  while (seen.length < 5 || (seen.length < most && performance.now() - warm < seconds * 1_000))
    seen.push(await timed());
  return median(seen);
}

/** The same sequence each time, from 0 to 1. */
export function random(seed = 42): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Zipf over 0..n-1, the same sequence each time. */
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
