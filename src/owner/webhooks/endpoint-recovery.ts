import type { Partition } from "../../rules/records.ts";
import type { FinalState } from "../../rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import type { OwnerContext } from "../context.ts";

const deliveriesPerChunk = 500;

interface RecoveryRange {
  /** The times of the events are in epoch milliseconds, both inclusive. */
  readonly since: number;
  readonly until: number;
  readonly states: readonly FinalState[];
}

/**
 * Makes finished deliveries of an endpoint pending again, and returns how many
 * there were.
 */
export async function recoverDeliveries(
  ctx: OwnerContext,
  { store_id, livemode }: Partition,
  endpoint_id: string,
  range: RecoveryRange,
): Promise<number> {
  const { webhooks } = ctx.storage;
  let recovered = 0;
  let before: Awaited<ReturnType<WebhookStore["recoverDeliveries"]>>["before"] = null;

  do {
    const chunk = await webhooks.recoverDeliveries({
      store_id,
      livemode,
      endpoint_id,
      ...range,
      before,
      limit: deliveriesPerChunk,
      now: ctx.now(),
    });
    recovered += chunk.recovered;
    before = chunk.before;
  } while (before !== null);

  if (recovered > 0) ctx.due();
  return recovered;
}
