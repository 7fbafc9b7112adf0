import { isHitInWindow } from "../../rules/checkout/limits.ts";
import type { LimitStore } from "../../storage/limit-store.ts";

const maxBuckets = 100_000;

/**
 * Keeps a sliding window for each bucket, which holds the times of the hits that
 * passed. Beyond `maxBuckets`, the least recently used bucket is dropped and its
 * limit begins anew.
 */
export function memoryLimits(): LimitStore {
  const buckets = new Map<string, number[]>();

  return {
    async hit({ bucket, limit, window_ms }, now) {
      if (now === null) throw new Error("The storage in memory has no clock of its own.");

      const times = (buckets.get(bucket) ?? []).filter((time) =>
        isHitInWindow(time, now, window_ms),
      );
      const allowed = times.length < limit;
      if (allowed) times.push(now);

      // A map keeps the order of insertion: the bucket that was used last stands at the end.
      buckets.delete(bucket);
      buckets.set(bucket, times);
      if (buckets.size > maxBuckets) {
        const [oldest = bucket] = buckets.keys();
        buckets.delete(oldest);
      }

      return {
        allowed,
        remaining: limit - times.length,
        reset_ms: (times[0] ?? now) + window_ms - now,
      };
    },
  };
}
