const firstRestMs = 1_000;
const longestRestMs = 60_000;

interface Rest {
  /** How often in a row the node did not answer. */
  readonly failures: number;
  /** When it is asked again; infinite while it is being asked. */
  readonly until: number;
}

/**
 * The nodes that did not answer. Each is left alone for a time that doubles up to a
 * minute, and counts as lost until it has answered.
 */
export class Rests {
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #rests = new Map<string, Rest>();

  /** `now` gives milliseconds of a clock that is never set, `random` numbers of 0 to 1. */
  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  isLost(node: string): boolean {
    return this.#rests.has(node);
  }

  /** The node did not answer. The rest is half as long up to whole, by chance. */
  lost(node: string): void {
    const failures = (this.#rests.get(node)?.failures ?? 0) + 1;
    const longest = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(failures - 1, 16));
    const restMs = longest * (0.5 + this.#random() / 2);
    this.#rests.set(node, { failures, until: this.#now() + restMs });
  }

  answered(node: string): void {
    this.#rests.delete(node);
  }

  /** True once for each rest that is over: the caller asks the node and says what came of it. */
  takeTurn(node: string): boolean {
    const rest = this.#rests.get(node);
    if (!rest || rest.until > this.#now()) return false;

    this.#rests.set(node, { ...rest, until: Number.POSITIVE_INFINITY });
    return true;
  }
}
