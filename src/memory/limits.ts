import type { LimitStore } from "../storage/types.ts";

const maxBuckets = 100_000;

/** Exact up to 100,000 live buckets, then the least recently used goes (CONTRACT 9). A bucket holds the times of its passed hits. */
export function memoryLimits(): LimitStore {
  const buckets = new Map<string, number[]>();
  return {
    async hit({ bucket, limit, window_ms }, now) {
      const times = (buckets.get(bucket) ?? []).filter((time) => time > now - window_ms);
      buckets.delete(bucket);
      const allowed = times.length < limit;
      if (allowed) times.push(now);
      buckets.set(bucket, times);
      if (buckets.size > maxBuckets)
        for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
      return {
        allowed,
        remaining: limit - times.length,
        reset_ms: (times[0] ?? now) + window_ms - now,
      };
    },
  };
}
