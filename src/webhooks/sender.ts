import type { ClaimedDelivery, Settlement } from "../rules/webhook-records.ts";
import { workerLost } from "../rules/worker-lost.ts";
import type { DrainBudget } from "./drain-budget.ts";
import type { DrainContext, DrainCounts } from "./drain-context.ts";
import type { DrainSettings } from "./drain-options.ts";
import type { LeasedDelivery, SendEnd } from "./endpoint-queue.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import { createSend } from "./send.ts";
import { type SendOutcome, settlementOf } from "./settlement.ts";
import type { SettlementBatches } from "./settlement-batches.ts";
import type { Sent } from "./transport.ts";

/** While each ended send is followed by another, the drain is woken once in this many ends. */
const endsPerWake = 16;

export interface SenderParts {
  readonly settings: DrainSettings;
  readonly counts: DrainCounts;
  readonly budget: DrainBudget;
  readonly queues: EndpointQueues;
  readonly batches: SettlementBatches;
  release(leased: LeasedDelivery): void;
  /** Lets the drain look whether to claim more. */
  wake(): void;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends what waits in the queues, within the limits of the drain. */
export function createSender(ctx: DrainContext, parts: SenderParts) {
  const { settings, counts, budget, queues, batches } = parts;
  const send = createSend(ctx);
  const running = new Set<Promise<void>>();
  let ends = 0;

  function startWaiting(): void {
    while (running.size < settings.concurrency && !batches.isBehind()) {
      const leased = budget.stopReason(counts.attempted) ? undefined : queues.takeNext();
      if (!leased) return;

      if (leased.start_by < ctx.now()) {
        queues.sendEnded(leased.delivery.endpoint_id, "unsent");
        parts.release(leased);
      } else start(leased);
    }
  }

  function start({ delivery, token }: LeasedDelivery): void {
    counts.attempted += 1;
    let end: SendEnd = "unsent";

    const sending = attempt(delivery, token)
      .then(({ settlement, timedOut }) => {
        end = settlement.delivered ? "delivered" : timedOut ? "timeout" : "failed";
        batches.add(settlement);
      })
      // The lease ends by itself, so that nothing is lost.
      .catch((error: unknown) => ctx.onError(error, "webhooks"))
      .finally(() => {
        running.delete(sending);
        queues.sendEnded(delivery.endpoint_id, end);

        const attempted = counts.attempted;
        startWaiting();
        ends += 1;
        if (counts.attempted === attempted || ends % endsPerWake === 0) parts.wake();
      });
    running.add(sending);
  }

  async function attempt(
    delivery: ClaimedDelivery,
    lease_token: string,
  ): Promise<{ readonly settlement: Settlement; readonly timedOut: boolean }> {
    const started_at = ctx.now();
    const sent: SendOutcome = workerLost(delivery) ?? (await sendNow(delivery, started_at));

    const settlement = settlementOf(ctx, { delivery, lease_token, started_at, sent });
    return { settlement, timedOut: sent.error === "timeout" };
  }

  const sendNow = (delivery: ClaimedDelivery, started_at: number): Promise<Sent> =>
    send(delivery, {
      attempt: delivery.attempts + 1,
      started_at,
      timeoutMs: settings.timeoutMs,
    });

  return {
    startWaiting,
    isIdle: (): boolean => running.size === 0,
    async allEnded(): Promise<void> {
      await Promise.all(running);
    },
  };
}
