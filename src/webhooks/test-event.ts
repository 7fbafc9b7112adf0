import type { KeyRing } from "../domain/keys/key-ring.ts";
import { iso } from "../domain/text/iso.ts";
import type { EndpointRecord } from "../rules/webhooks/webhook-records.ts";
import { createSend } from "./send/send.ts";
import type { Sent, WebhookTransport } from "./send/transport.ts";

/** The answer of the receiver of a test event. */
export interface TestSent extends Sent {
  readonly event_id: string;
}

const timeoutMs = 15_000;
/** A type that no event has. The test finds receivers that act on types they do not know. */
const testType = "webhook.test";

/** Signs and sends a test event as every delivery is sent, and stores nothing. */
export async function sendTestEvent(
  ctx: { readonly transport: WebhookTransport; readonly keyRing: KeyRing; now(): number },
  endpoint: EndpointRecord,
  event_id: string,
): Promise<TestSent> {
  const now = ctx.now();
  const body = JSON.stringify({
    id: event_id,
    type: testType,
    livemode: endpoint.livemode,
    created_at: iso(now),
    api_version: "v1",
    sequence: 0,
    store_id: endpoint.store_id,
    data: { endpoint_id: endpoint.id },
  });
  const { url, secrets } = endpoint;
  const message = { endpoint_id: endpoint.id, url, secrets, event_id, event_type: testType, body };
  const send = createSend(ctx);

  return { event_id, ...(await send(message, { attempt: 1, started_at: now, timeoutMs })) };
}
