import type { WebhookStore } from "../storage/webhook-store.ts";

export interface SkipContext {
  readonly store: WebhookStore;
  now(): number;
}

const chunk = 1_000;

/** The pending deliveries of an endpoint that was disabled or deleted, chunk by chunk: a long queue holds no lock for long. */
export async function skipAll(
  ctx: SkipContext,
  store_id: string,
  endpoint_id: string,
): Promise<void> {
  while ((await ctx.store.skipDeliveries(store_id, endpoint_id, chunk, ctx.now())) === chunk);
}
