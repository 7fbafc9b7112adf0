import { EndpointQueue, type LeasedDelivery, type SendEnd } from "./endpoint-queue.ts";

/** A queue for each endpoint: the requests to an endpoint share its slots and nobody else's. */
export class EndpointQueues {
  readonly #perEndpoint: number;
  readonly #now: () => number;
  readonly #queues = new Map<string, EndpointQueue>();
  /** Queues with a waiting delivery and a free slot, in the order in which they take turns. */
  readonly #ready = new Set<EndpointQueue>();
  #waiting = 0;

  constructor(perEndpoint: number, now: () => number) {
    this.#perEndpoint = perEndpoint;
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** The waiting deliveries, except those that stuck endpoints hold up. */
  countStartable(): number {
    let count = 0;
    for (const queue of this.#queues.values()) if (!queue.isStuck()) count += queue.waiting.length;
    return count;
  }

  add(leased: LeasedDelivery): void {
    const queue = this.#queueOf(leased.delivery.endpoint_id);
    queue.waiting.push(leased);
    this.#waiting += 1;
    this.#updateReady(queue);
  }

  /** The next delivery to send, and its slot is taken. The endpoints take turns. */
  takeNext(): LeasedDelivery | undefined {
    const [queue] = this.#ready;
    const leased = queue?.waiting.shift();
    if (!queue || !leased) return undefined;

    this.#waiting -= 1;
    queue.openSends += 1;
    this.#ready.delete(queue);
    this.#updateReady(queue);
    return leased;
  }

  sendEnded(endpoint_id: string, end: SendEnd): void {
    const queue = this.#queueOf(endpoint_id);
    queue.sendEnded(end);
    this.#updateReady(queue);
  }

  /** How many deliveries of each endpoint the next claim may lease, where not `perEndpoint`. */
  quotaByEndpoint(): Record<string, number> {
    const quotas: Record<string, number> = {};
    for (const queue of this.#queues.values()) {
      const quota = queue.quota();
      if (quota !== this.#perEndpoint) quotas[queue.endpoint_id] = quota;
    }
    return quotas;
  }

  isWorthClaiming(endpoint_id: string): boolean {
    return this.#queues.get(endpoint_id)?.isWorthClaiming() ?? true;
  }

  removeEndpoint(endpoint_id: string): readonly LeasedDelivery[] {
    const queue = this.#queues.get(endpoint_id);
    return queue ? this.#removeAllOf(queue) : [];
  }

  /** Removes the deliveries that have waited too long to be started at this time. */
  removeLate(at: number): readonly LeasedDelivery[] {
    return [...this.#queues.values()].flatMap((queue) => this.#removeLateOf(queue, at));
  }

  removeAll(): readonly LeasedDelivery[] {
    return [...this.#queues.values()].flatMap((queue) => this.#removeAllOf(queue));
  }

  #queueOf(endpoint_id: string): EndpointQueue {
    let queue = this.#queues.get(endpoint_id);
    if (!queue) {
      queue = new EndpointQueue(endpoint_id, this.#perEndpoint, this.#now);
      this.#queues.set(endpoint_id, queue);
    }
    return queue;
  }

  #updateReady(queue: EndpointQueue): void {
    if (queue.waiting.length > 0 && queue.hasFreeSlot()) this.#ready.add(queue);
    else this.#ready.delete(queue);
  }

  #removeAllOf(queue: EndpointQueue): LeasedDelivery[] {
    const removed = queue.waiting.splice(0);
    this.#waiting -= removed.length;
    this.#updateReady(queue);
    return removed;
  }

  #removeLateOf(queue: EndpointQueue, at: number): LeasedDelivery[] {
    const late = queue.waiting.filter(({ start_by }) => start_by < at);
    if (late.length === 0) return late;

    const kept = queue.waiting.filter(({ start_by }) => start_by >= at);
    queue.waiting.splice(0, queue.waiting.length, ...kept);
    this.#waiting -= late.length;
    this.#updateReady(queue);
    return late;
  }
}
