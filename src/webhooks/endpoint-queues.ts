import { EndpointQueue, type LeasedDelivery, type SendEnd } from "./endpoint-queue.ts";

export type EndpointQueues = ReturnType<typeof createEndpointQueues>;

/** A queue for each endpoint: the requests to an endpoint share its slots and nobody else's. */
export function createEndpointQueues(perEndpoint: number, now: () => number) {
  const queues = new Map<string, EndpointQueue>();
  /** Queues with a waiting delivery and a free slot, in the order in which they take turns. */
  const ready = new Set<EndpointQueue>();
  let waiting = 0;

  function queueOf(endpoint_id: string): EndpointQueue {
    let queue = queues.get(endpoint_id);
    if (!queue) {
      queue = new EndpointQueue(endpoint_id, perEndpoint, now);
      queues.set(endpoint_id, queue);
    }
    return queue;
  }

  function updateReady(queue: EndpointQueue): void {
    if (queue.waiting.length > 0 && queue.hasFreeSlot()) ready.add(queue);
    else ready.delete(queue);
  }

  function removeAllOf(queue: EndpointQueue): LeasedDelivery[] {
    const removed = queue.waiting.splice(0);
    waiting -= removed.length;
    updateReady(queue);
    return removed;
  }

  function removeLateOf(queue: EndpointQueue, at: number): LeasedDelivery[] {
    const late = queue.waiting.filter(({ start_by }) => start_by < at);
    if (late.length === 0) return late;

    const kept = queue.waiting.filter(({ start_by }) => start_by >= at);
    queue.waiting.splice(0, queue.waiting.length, ...kept);
    waiting -= late.length;
    updateReady(queue);
    return late;
  }

  return {
    get waiting(): number {
      return waiting;
    },
    /** The waiting deliveries, except those that stuck endpoints hold up. */
    countStartable(): number {
      let count = 0;
      for (const queue of queues.values()) if (!queue.isStuck()) count += queue.waiting.length;
      return count;
    },
    add(leased: LeasedDelivery): void {
      const queue = queueOf(leased.delivery.endpoint_id);
      queue.waiting.push(leased);
      waiting += 1;
      updateReady(queue);
    },
    /** The next delivery to send, and its slot is taken. The endpoints take turns. */
    takeNext(): LeasedDelivery | undefined {
      const [queue] = ready;
      const leased = queue?.waiting.shift();
      if (!queue || !leased) return undefined;

      waiting -= 1;
      queue.openSends += 1;
      ready.delete(queue);
      updateReady(queue);
      return leased;
    },
    sendEnded(endpoint_id: string, end: SendEnd): void {
      const queue = queueOf(endpoint_id);
      queue.sendEnded(end);
      updateReady(queue);
    },
    /** How many deliveries of each endpoint the next claim may lease, where not `perEndpoint`. */
    quotaByEndpoint(): Record<string, number> {
      const quotas: Record<string, number> = {};
      for (const queue of queues.values()) {
        const quota = queue.quota();
        if (quota !== perEndpoint) quotas[queue.endpoint_id] = quota;
      }
      return quotas;
    },
    isWorthClaiming: (endpoint_id: string): boolean =>
      queues.get(endpoint_id)?.isWorthClaiming() ?? true,
    removeEndpoint(endpoint_id: string): readonly LeasedDelivery[] {
      const queue = queues.get(endpoint_id);
      return queue ? removeAllOf(queue) : [];
    },
    /** Removes the deliveries that have waited too long to be started at this time. */
    removeLate: (at: number): readonly LeasedDelivery[] =>
      [...queues.values()].flatMap((queue) => removeLateOf(queue, at)),
    removeAll: (): readonly LeasedDelivery[] => [...queues.values()].flatMap(removeAllOf),
  };
}
