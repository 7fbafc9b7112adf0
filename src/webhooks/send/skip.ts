import type { WebhookStore } from "../../storage/webhook-store.ts";

export interface SkipContext {
  readonly store: WebhookStore;
  now(): number;
}

const chunkSize = 1_000;

/**
 * Skips all pending deliveries of an endpoint that was disabled or deleted. It goes
 * chunk by chunk, so that a long queue holds no lock for long.
 */
export async function skipAll(
  ctx: SkipContext,
  store_id: string,
  endpoint_id: string,
): Promise<void> {
  let skipped = chunkSize;
  while (skipped === chunkSize)
    skipped = await ctx.store.skipDeliveries(store_id, endpoint_id, chunkSize, ctx.now());
}
