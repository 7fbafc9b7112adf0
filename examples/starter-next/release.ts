import type { WebhookEvent } from "vitrine/webhooks";

/**
 * WRITE THIS: hand over what was bought. It is called again when it throws, and after a crash, so
 * keep the event's id where you keep what you release.
 */
export async function release(event: WebhookEvent): Promise<void> {
  if (event.type !== "order.paid") return;
  const { number, items } = event.data.order;
  console.log(`Order ${number} is paid: ${items.map(({ name }) => name).join(", ")}`);
}
