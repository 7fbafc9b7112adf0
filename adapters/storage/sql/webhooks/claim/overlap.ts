/** Transactions that take longer than this to commit are rare. */
const usualLateMs = 50;
/** A row whose transaction takes longer than this to commit is found by the next whole look. */
const lateMs = 1_000;
/** One look in this time begins early enough for the late rows too. */
const wideMs = 250;

/** A look at what became due since another one. */
export interface Look {
  readonly now: number;
  /** The time up to which nothing is expected that an earlier look could not see. */
  readonly since: number;
  /** True when the look begins early enough for rows that were committed late. */
  readonly isWide: boolean;
}

/**
 * Tells how far behind the end of the last look the next one begins, because a row is seen only
 * once its transaction has committed, which may be after the time at which it is due. Each look
 * walks the dead rows of that time, so that only some begin early.
 */
export class Overlap {
  #now = 0;
  #wideNow = 0;
  #wideAt = Number.NEGATIVE_INFINITY;

  begin(now: number): Look {
    const isWide = performance.now() - this.#wideAt >= wideMs;
    const since = isWide ? this.#wideNow - lateMs : this.#now - usualLateMs;
    return { now, since, isWide };
  }

  /** Notes a look that has succeeded. */
  end({ now, isWide }: Pick<Look, "now" | "isWide">): void {
    this.#now = now;
    if (!isWide) return;

    this.#wideNow = now;
    this.#wideAt = performance.now();
  }
}
