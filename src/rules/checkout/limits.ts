/**
 * A hit may be dated at most this far ahead of this process's clock: the clocks of
 * processes differ a little, and a hit may wait before it is counted.
 */
export const clockSlackMs = 1_000;

/**
 * Tells whether a hit counts. One that is dated in the future is from before the
 * clock was set back: it counts for nothing, or it would refuse every call until
 * the clock is there again.
 */
export const isHitInWindow = (time: number, now: number, window_ms: number): boolean =>
  time > now - window_ms && time <= now + clockSlackMs;
