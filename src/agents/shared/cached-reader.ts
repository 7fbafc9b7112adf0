/** How long what was read, or the failure to read it, is kept, and how many of them. */
export const kept = { foundMs: 300_000, failureMs: 30_000, most: 200 };

/** What was read is taken for fresh for this long, so that nobody makes the host ask too often. */
const freshMs = 60_000;

/** Reads what is at an address. `isFresh` reads it anew when that was not done just now. */
export type Reader<Found> = (url: string, isFresh?: boolean) => Promise<Found>;

/** Reads each address once in a while, however many requests name it. */
export function cachedReader<Found>(
  read: (url: string) => Promise<Found>,
  now: () => number,
): Reader<Found> {
  const cache = new Map<string, { keptMs: number; readonly at: number; found: Promise<Found> }>();

  return (url, isFresh = false) => {
    const known = cache.get(url);
    if (known) {
      const keptMs = isFresh ? Math.min(known.keptMs, freshMs) : known.keptMs;
      if (known.at + keptMs > now()) return known.found;
    }
    const entry = { at: now(), keptMs: kept.foundMs, found: read(url) };
    entry.found.catch(() => {
      entry.keptMs = kept.failureMs;
    });
    cache.delete(url);
    cache.set(url, entry);
    const [oldest] = cache.keys();
    if (cache.size > kept.most && oldest !== undefined) cache.delete(oldest);
    return entry.found;
  };
}
