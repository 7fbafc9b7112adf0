import type { StorageClock } from "#core/storage/types.ts";

const maxAgeMs = 30_000;

export interface MeasuredClock extends StorageClock {
  /**
   * Measures the offset to the database's clock with `ask` when the last
   * measurement is too old. The next statement triggers it, never a timer.
   */
  refresh(ask: () => Promise<number>): Promise<void>;
}

/**
 * Makes the host's clock plus its measured offset to the database's clock.
 * Processes on hosts whose clocks disagree by minutes thereby agree on leases and
 * expiries.
 */
export function measuredClock(
  hostNow: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): MeasuredClock {
  let offset = 0;
  let measuredAt: number | null = null;
  // This stays false for a storefront with its own clock: nothing is measured then.
  let used = false;

  return {
    now() {
      used = true;
      return hostNow() + offset;
    },

    async refresh(ask) {
      const started = elapsed();
      const isFresh = measuredAt !== null && started - measuredAt < maxAgeMs;
      if (!used || isFresh) return;

      // It is set before the answer is here, so that concurrent statements do not measure too.
      const previous = measuredAt;
      measuredAt = started;

      try {
        const sent = hostNow();
        const databaseNow = await ask();
        const received = hostNow();

        // Half of the round trip is the error of the measurement. Smaller differences are ignored,
        // so that the clock does not jitter.
        const measured = Math.round(databaseNow - (sent + received) / 2);
        const error = (received - sent) / 2 + 1;
        if (previous === null || Math.abs(measured - offset) > error) offset = measured;
      } catch (error) {
        measuredAt = previous;
        throw error;
      }
    },
  };
}
