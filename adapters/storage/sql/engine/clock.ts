import type { StorageClock } from "../../../../src/storage/types.ts";

const maxAgeMs = 30_000;

export interface MeasuredClock extends StorageClock {
  /** Measures the difference by `ask` when the last measure is too old; by the statement that comes next, never by a timer. */
  keep(ask: () => Promise<number>): Promise<void>;
}

/** The host's clock plus its difference to the database's: processes on hosts whose clocks disagree by minutes agree on leases and expiries. */
export function measuredClock(
  hostNow: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): MeasuredClock {
  let offset = 0;
  let measuredAt: number | null = null;
  let asked = false; // nobody asks a storage whose storefront was given a clock of its own
  return {
    now() {
      asked = true;
      return hostNow() + offset;
    },
    async keep(ask) {
      const started = elapsed();
      if (!asked || (measuredAt !== null && started - measuredAt < maxAgeMs)) return;
      const before = measuredAt;
      measuredAt = started; // the statements beside this one go on meanwhile
      try {
        const sent = hostNow();
        const database = await ask();
        const received = hostNow();
        const found = Math.round(database - (sent + received) / 2);
        // Within the error of the measure the old one stands: the clock must not jitter.
        if (before === null || Math.abs(found - offset) > (received - sent) / 2 + 1) offset = found;
      } catch (error) {
        measuredAt = before;
        throw error;
      }
    },
  };
}
