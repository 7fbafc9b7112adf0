import { minuteMs } from "#core/domain/durations.ts";

const firstRestMs = 1_000;
const longestRestMs = minuteMs;

interface Rest {
  /** Counts how often in a row the node did not answer. */
  readonly failures: number;
  /** When the node is asked again; it is infinite while the node is being asked. */
  readonly until: number;
}

/**
 * Keeps the nodes that did not answer. Each is left alone for a time that doubles
 * up to a minute, and counts as lost until it has answered.
 */
export class Rests {
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #rests = new Map<string, Rest>();

  /** `now` reads a monotonic clock in milliseconds, and `random` gives numbers from 0 to 1. */
  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  isLost(node: string): boolean {
    return this.#rests.has(node);
  }

  /** Notes that the node did not answer. Its rest is a random part of the time, at least half. */
  lost(node: string): void {
    const failures = (this.#rests.get(node)?.failures ?? 0) + 1;
    const longest = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(failures - 1, 16));
    const restMs = longest * (0.5 + this.#random() / 2);
    this.#rests.set(node, { failures, until: this.#now() + restMs });
  }

  answered(node: string): void {
    this.#rests.delete(node);
  }

  /** Gives true once for each rest that is over. The caller then asks the node and reports back. */
  takeTurn(node: string): boolean {
    const rest = this.#rests.get(node);
    if (!rest || rest.until > this.#now()) return false;

    this.#rests.set(node, { ...rest, until: Number.POSITIVE_INFINITY });
    return true;
  }
}
