import { workerLost } from "../../rules/webhooks/worker-lost.ts";
import type { Destinations } from "../drain/destinations.ts";
import type { DrainBudget } from "../drain/drain-budget.ts";
import type { DrainContext, DrainCounts } from "../drain/drain-context.ts";
import type { DrainSettings } from "../drain/drain-options.ts";
import type { LeasedDelivery, SendEnd } from "../drain/endpoint-queue.ts";
import type { EndpointQueues } from "../drain/endpoint-queues.ts";
import { createSend } from "./send.ts";
import { createSendLimit } from "./send-limit.ts";
import { type SendOutcome, settlementOf } from "./settlement.ts";
import type { SettlementBatches } from "./settlement-batches.ts";

/**
 * While each ended send is followed by another, the drain is woken once in this
 * many ends.
 */
const endsPerWake = 16;

export interface SenderParts {
  readonly settings: DrainSettings;
  readonly counts: DrainCounts;
  readonly budget: DrainBudget;
  readonly queues: EndpointQueues;
  readonly batches: SettlementBatches;
  readonly destinations: Destinations;
  release(leased: LeasedDelivery): void;
  /** Makes the drain check whether to claim more. */
  wake(): void;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends the deliveries that wait in the queues, within the limits of the drain. */
export function createSender(ctx: DrainContext, parts: SenderParts) {
  const { settings, counts, budget, queues, batches, destinations } = parts;
  const attempt = createAttempt(ctx, parts);
  const running = new Set<Promise<void>>();
  const limit = createSendLimit(settings.concurrency, () => {
    startWaiting();
    parts.wake();
  });
  let ends = 0;

  function startWaiting(): void {
    while (limit.allows(running.size) && !batches.isBehind()) {
      if (budget.stopReason(counts.attempted)) return;

      const leased = queues.takeNext(destinations.isFresh);
      if (!leased) {
        // A delivery waits here when the last read of its endpoint is too old.
        if (queues.hasReady()) destinations.refresh();
        return;
      }
      if (leased.start_by < ctx.now()) giveBack(leased);
      else start(leased);
    }
  }

  function giveBack(leased: LeasedDelivery): void {
    queues.sendEnded(leased.delivery.endpoint_id, "unsent");
    parts.release(leased);
  }

  function start(leased: LeasedDelivery): void {
    counts.attempted += 1;

    const sending = attempt(leased)
      // The lease ends by itself, so that nothing is lost.
      .catch((error: unknown): SendEnd => {
        ctx.onError(error, "webhooks");
        return "unsent";
      })
      .then((end) => {
        running.delete(sending);
        if (end === "shortage") {
          counts.attempted -= 1;
          limit.lower(running.size);
          giveBack(leased);
        } else queues.sendEnded(leased.delivery.endpoint_id, end);

        const attempted = counts.attempted;
        startWaiting();
        ends += 1;
        if (counts.attempted === attempted || ends % endsPerWake === 0) parts.wake();
      });
    running.add(sending);
  }

  return {
    startWaiting,
    /** Says whether no send is open and none is held back for a while. */
    isIdle: (): boolean => running.size === 0 && !limit.isLowered() && !destinations.isReading(),
    async allEnded(): Promise<void> {
      await Promise.all(running);
      limit.clear();
      await destinations.end();
    },
  };
}

/** Sends one delivery and notes its outcome. */
function createAttempt(ctx: DrainContext, { settings, batches, destinations }: SenderParts) {
  const send = createSend(ctx);

  function sendNow({ delivery }: LeasedDelivery, started_at: number) {
    const { endpoint_id, event_id, event_type, body } = delivery;
    const { url, secrets, agent } = destinations.find(endpoint_id) ?? delivery;
    return send(
      { endpoint_id, url, secrets, agent, event_id, event_type, body },
      { attempt: delivery.attempts + 1, started_at, timeoutMs: settings.timeoutMs },
    );
  }

  return async function attempt(leased: LeasedDelivery): Promise<SendEnd | "shortage"> {
    const { delivery, token: lease_token } = leased;
    const started_at = ctx.now();
    const sent: SendOutcome = workerLost(delivery) ?? (await sendNow(leased, started_at));
    if (sent.error === "local_shortage") return "shortage";

    batches.add(settlementOf(ctx, { delivery, lease_token, started_at, sent }));
    if (sent.ok) return "delivered";
    return sent.error === "timeout" ? "timeout" : "failed";
  };
}
