import type { Claimed } from "../../storage/webhook-store.ts";

/**
 * Follows the claims on their way round the endpoints, which take turns in the
 * order of their ids. One claim looks at a part of them only: nothing is due once a
 * whole round has left nothing behind.
 */
export class ClaimRound {
  /** The next claim goes on after this endpoint; "" stands before the first one. */
  #at = "";
  #start = "";
  #isComplete = false;
  #found = 0;

  get after_endpoint(): string | null {
    return this.#at || null;
  }

  /**
   * Says whether the last round left nothing behind, and nothing was expected
   * since.
   */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Says whether the next claim is the first of a round. */
  get isBeginning(): boolean {
    return this.#isComplete || this.#at === this.#start;
  }

  /** Gives how many deliveries the claims of this round have found. */
  get found(): number {
    return this.#found;
  }

  /** Begins a round where the last claim ended. */
  restart(): void {
    this.#start = this.#at;
    this.#isComplete = false;
    this.#found = 0;
  }

  /** Takes note of a claim's result. */
  add({ after_endpoint, left_behind, deliveries }: Claimed): void {
    if (this.isBeginning) this.restart();
    const from = this.#at;
    this.#at = after_endpoint ?? "";

    if (left_behind === "deliveries") this.restart();
    else this.#isComplete = left_behind === "nothing" || this.#hasPassedStart(from);
    this.#found += deliveries.length;
  }

  /**
   * Tells whether the claim that went on after `from` has come to the start of the
   * round.
   */
  #hasPassedStart(from: string): boolean {
    const to = this.#at;
    if (to === from || to === this.#start) return true;
    return from !== this.#start && this.#comesBefore(to, from);
  }

  /** Compares two endpoints by their turns in a round that begins after `#start`. */
  #comesBefore(a: string, b: string): boolean {
    const isWrapped = (id: string): boolean => id <= this.#start;
    return isWrapped(a) === isWrapped(b) ? a < b : isWrapped(b);
  }
}
