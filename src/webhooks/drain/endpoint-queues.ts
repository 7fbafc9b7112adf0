import { EndpointQueue, type LeasedDelivery, type SendEnd } from "./endpoint-queue.ts";

/** Keeps a queue for each endpoint. The requests to an endpoint use its slots alone. */
export class EndpointQueues {
  readonly #perEndpoint: number;
  readonly #now: () => number;
  readonly #queues = new Map<string, EndpointQueue>();
  /**
   * The queues that have a waiting delivery and a free slot, in the order in which they take turns.
   * The queues without an open send come first, so that a slow endpoint's backlog does not hold up
   * the others.
   */
  readonly #readyUnserved = new Set<EndpointQueue>();
  readonly #readyServed = new Set<EndpointQueue>();
  #waiting = 0;

  constructor(perEndpoint: number, now: () => number) {
    this.#perEndpoint = perEndpoint;
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Counts the waiting deliveries, except those that stuck endpoints hold up. */
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

  /** Says whether a delivery waits at an endpoint with a free slot. */
  hasReady(): boolean {
    return this.#readyUnserved.size > 0 || this.#readyServed.size > 0;
  }

  /**
   * Gives the next delivery of an endpoint to which it may be sent now, and takes a
   * slot for it. The endpoints take turns.
   */
  takeNext(isAllowed: (endpoint_id: string) => boolean): LeasedDelivery | undefined {
    const queue =
      findAllowed(this.#readyUnserved, isAllowed) ?? findAllowed(this.#readyServed, isAllowed);
    const leased = queue?.waiting.shift();
    if (!queue || !leased) return undefined;

    this.#waiting -= 1;
    queue.openSends += 1;
    this.#readyServed.delete(queue); // it has had its turn
    this.#updateReady(queue);
    return leased;
  }

  sendEnded(endpoint_id: string, end: SendEnd): void {
    const queue = this.#queueOf(endpoint_id);
    queue.sendEnded(end);
    this.#updateReady(queue);
  }

  /**
   * Gives how many deliveries the next claim may lease of each endpoint for which
   * this is not `perEndpoint`.
   */
  quotaByEndpoint(): Record<string, number> {
    const quotas: Record<string, number> = {};
    for (const queue of this.#queues.values()) {
      const quota = queue.quota();
      if (quota !== this.#perEndpoint) quotas[queue.endpoint_id] = quota;
    }
    return quotas;
  }

  /**
   * Does the same as `quotaByEndpoint`, but allows nothing more of endpoints of
   * which something is leased.
   */
  quotaOfNewEndpoints(): Record<string, number> {
    const quotas = this.quotaByEndpoint();
    for (const { endpoint_id, waiting, openSends } of this.#queues.values())
      if (waiting.length > 0 || openSends > 0) quotas[endpoint_id] = 0;
    return quotas;
  }

  waitingEndpoints(): readonly string[] {
    return [...this.#queues.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .map(({ endpoint_id }) => endpoint_id);
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
    const isReady = queue.waiting.length > 0 && queue.hasFreeSlot();
    const isServed = queue.openSends > 0;
    // A queue that is in its set already keeps its turn.
    if (isReady && !isServed) this.#readyUnserved.add(queue);
    else this.#readyUnserved.delete(queue);
    if (isReady && isServed) this.#readyServed.add(queue);
    else this.#readyServed.delete(queue);
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

function findAllowed(
  queues: ReadonlySet<EndpointQueue>,
  isAllowed: (endpoint_id: string) => boolean,
): EndpointQueue | undefined {
  for (const queue of queues) if (isAllowed(queue.endpoint_id)) return queue;
  return undefined;
}
