import { minuteMs } from "../../domain/durations.ts";

/** The log gets at most one limited call of a key in this time. */
const pauseMs = minuteMs;
const mostKeys = 1_000;

interface LimitedKey {
  readonly quietUntil: number;
  /** Counts the calls since the last row. The next row counts them. */
  readonly uncounted: number;
}

/** Decides which limited calls the request log gets. */
export interface LimitedCalls {
  /**
   * Gives how many limited calls of the key the row of this one stands for, or null
   * when a later row counts it. The time is in epoch milliseconds.
   */
  count(key_id: string, now: number): number | null;
}

/**
 * Makes the counter of limited calls. Anyone may call with a publishable key as
 * often as they like. If each of the calls beyond the limit had a row, they would
 * push all others out of the log.
 */
export function createLimitedCalls(): LimitedCalls {
  const keys = new Map<string, LimitedKey>();

  return {
    count(key_id, now) {
      const { quietUntil = 0, uncounted = 0 } = keys.get(key_id) ?? {};
      // A clock that was set back must not silence a key for longer than the pause.
      const isQuiet = now < quietUntil && quietUntil - now <= pauseMs;
      if (isQuiet) {
        keys.set(key_id, { quietUntil, uncounted: uncounted + 1 });
        return null;
      }

      keys.delete(key_id);
      keys.set(key_id, { quietUntil: now + pauseMs, uncounted: 0 });
      const [oldest = key_id] = keys.keys();
      if (keys.size > mostKeys) keys.delete(oldest);
      return uncounted + 1;
    },
  };
}
