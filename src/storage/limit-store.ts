/** A call that a limit counts. */
export interface Hit {
  readonly bucket: string;
  readonly limit: number;
  readonly window_ms: number;
}

/** Whether a call may pass, and how many calls are left. */
export interface HitResult {
  readonly allowed: boolean;
  readonly remaining: number;
  /**
   * In milliseconds. After a refusal, it lasts until the next hit would pass.
   * Otherwise it lasts until the oldest hit that counts leaves the window.
   */
  readonly reset_ms: number;
}

/** Counts calls for rate limits. */
export interface LimitStore {
  /**
   * Counts a hit in an exact sliding window: no span of `window_ms` has more than `limit` hits that
   * passed. A refused hit writes nothing. Hits that are dated more than a second ahead of `now` are
   * from before the clock was set back, and count for nothing. Null is the time of the database's
   * own clock: only a storage with a `clock` is asked so.
   */
  hit(hit: Hit, now: number | null): Promise<HitResult>;
}
