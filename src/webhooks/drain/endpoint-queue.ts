import type { ClaimedDelivery } from "../../rules/webhooks/webhook-records.ts";

export interface LeasedDelivery {
  readonly delivery: ClaimedDelivery;
  /** The lease token of the claim: only its holder may record a failure. */
  readonly token: string;
  /** After this time a whole attempt and its settlement no longer fit into the lease. */
  readonly start_by: number;
}

/** How a send ended. `unsent` means that it gave no outcome. */
export type SendEnd = "delivered" | "failed" | "timeout" | "unsent";

const windowSeconds = 5;
const maxQuota = 100;
const stuckAfterMs = 250;

/**
 * Holds the deliveries of one endpoint that this drain has leased, and knows how
 * fast the endpoint answers.
 */
export class EndpointQueue {
  readonly endpoint_id: string;
  readonly waiting: LeasedDelivery[] = [];
  openSends = 0;

  readonly #maxOpenSends: number;
  readonly #now: () => number;
  /**
   * True after a timeout, until a success. The endpoint then gets one send at
   * a time.
   */
  #isSlow = false;
  readonly #answersBySecond = new Map<number, number>();
  #lastAnswerAt: number;

  constructor(endpoint_id: string, maxOpenSends: number, now: () => number) {
    this.endpoint_id = endpoint_id;
    this.#maxOpenSends = maxOpenSends;
    this.#now = now;
    this.#lastAnswerAt = now();
  }

  hasFreeSlot(): boolean {
    return this.openSends < this.#slots();
  }

  /** Says whether all slots are taken and nothing was answered for a while. */
  isStuck(): boolean {
    return !this.hasFreeSlot() && this.#now() - this.#lastAnswerAt > stuckAfterMs;
  }

  sendEnded(end: SendEnd): void {
    this.openSends -= 1;
    if (end === "timeout") this.#isSlow = true;
    if (end === "delivered") this.#isSlow = false;
    if (end === "timeout" || end === "unsent") return;

    const now = this.#now();
    const second = Math.floor(now / 1_000);
    this.#answersBySecond.set(second, (this.#answersBySecond.get(second) ?? 0) + 1);
    this.#lastAnswerAt = now;
  }

  /** Gives how many deliveries the next claim may lease. */
  quota(): number {
    const most = this.#leaseLimit();
    // For a quiet endpoint no more is leased than its free slots, because no other
    // worker could send what it holds up. For one that answers, a second claim
    // leases more, so that it has something to send while the next claim is under
    // way.
    const left = this.#isQuiet()
      ? most - this.waiting.length - this.openSends
      : 2 * most - this.waiting.length;

    return Math.max(0, Math.min(most, left));
  }

  /**
   * Says whether a claim would bring more than a few deliveries beyond the leased
   * ones.
   */
  isWorthClaiming(): boolean {
    const most = this.#leaseLimit();
    return this.quota() >= (this.#isQuiet() ? Math.ceil(most / 2) : most);
  }

  #slots(): number {
    return this.#isSlow ? 1 : this.#maxOpenSends;
  }

  #leaseLimit(): number {
    return Math.min(maxQuota, this.#recentAnswers() + this.#slots());
  }

  /** Says whether the endpoint has answered nothing lately. */
  #isQuiet(): boolean {
    return this.#isSlow || this.#recentAnswers() === 0;
  }

  #recentAnswers(): number {
    const since = Math.floor(this.#now() / 1_000) - windowSeconds;
    let sum = 0;
    for (const [second, count] of this.#answersBySecond) {
      if (second <= since) this.#answersBySecond.delete(second);
      else sum += count;
    }
    return sum;
  }
}
