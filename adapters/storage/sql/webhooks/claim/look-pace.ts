/** The least time between whole looks. Slow ones are further apart, to take 1% of the time. */
const rescanMs = 10_000;
const rescanFactor = 100;
/** No delivery waits for a whole look longer than this. */
const longestRescanMs = 60_000;
/** A whole look that is faster is not examined. */
const slowLookMs = 3;
/** A look that is slow is examined this often at most. */
const examineMs = 1_000;
/**
 * A look reads some blocks of its indexes, and some more for each row that it gives. Dead rows
 * that were written one after another share their blocks, sixty rows in each.
 */
const usualBlocks = 100;
const usualBlocksPerRow = 16;

/** A look through a whole index, and how many blocks it would read when it is repeated. */
export interface WholeLook {
  readonly now: number;
  readonly took_ms: number;
  readonly rows: number;
  countBlocks(): Promise<number>;
}

/**
 * Decides when a look at the queue must be whole. Usually each one is. While some transaction
 * stays open, PostgreSQL keeps the index entries of all deliveries that were sent since, and a
 * whole look walks past them. Then a look goes on where the last one ended, and only one in ten
 * seconds, or in a minute at most, is whole.
 */
export class LookPace {
  #walksDeadRows = false;
  #wholeNow = Number.NEGATIVE_INFINITY;
  #wholeAt = Number.NEGATIVE_INFINITY;
  #examinedAt = Number.NEGATIVE_INFINITY;
  #lastNow = Number.NEGATIVE_INFINITY;
  #intervalMs = rescanMs;

  isWhole(now: number): boolean {
    const isBackInTime = now < this.#lastNow;
    this.#lastNow = now;
    const isLate = now - this.#wholeNow >= this.#intervalMs || this.restMs() <= 0;
    return !this.#walksDeadRows || isBackInTime || isLate;
  }

  /** Gives the time until the next whole look. */
  restMs = (): number => this.#wholeAt + this.#intervalMs - performance.now();

  async note({ now, took_ms, rows, countBlocks }: WholeLook): Promise<void> {
    this.#wholeNow = now;
    this.#wholeAt = performance.now();
    this.#intervalMs = Math.min(longestRescanMs, Math.max(rescanMs, took_ms * rescanFactor));
    const isExamined = this.#wholeAt - this.#examinedAt < examineMs;
    if (took_ms < slowLookMs) this.#walksDeadRows = false;
    if (took_ms < slowLookMs || isExamined) return;

    this.#examinedAt = this.#wholeAt;
    // What cannot be examined is looked through whole, which is right in any case.
    const blocks = await countBlocks().catch(() => 0);
    this.#walksDeadRows = blocks > usualBlocks + usualBlocksPerRow * rows;
  }
}
