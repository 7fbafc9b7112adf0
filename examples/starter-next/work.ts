import { storefront } from "./shop.ts";

const maxDurationMs = 20_000;

/** Sends the webhooks that are due. `after` of next/server calls it behind an answer. */
export async function sendWebhooks(): Promise<void> {
  await (await storefront()).drainWebhooks({ maxDurationMs });
}

/**
 * Does what has to be done every minute: it ends expired sessions, asks gateways,
 * sends retries.
 */
export async function workOfAMinute() {
  const shop = await storefront();
  const maintenance = await shop.runMaintenance({ maxDurationMs });
  const webhooks = await shop.drainWebhooks({ maxDurationMs });
  return { maintenance, webhooks };
}
