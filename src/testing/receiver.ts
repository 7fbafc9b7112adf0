import type { WebhookEvent } from "../contract/events.ts";
import type { Sent, WebhookPost, WebhookTransport } from "../webhooks/send/transport.ts";
import { verifyWebhook } from "../webhooks/verify.ts";
import type { DeliverTo } from "./harness-types.ts";

/**
 * Makes a transport that delivers to memory: it keeps the events whose signature is
 * right, and hands each delivery to the receiver under test.
 */
export function memoryReceiver(now: () => number, deliverTo: DeliverTo | undefined) {
  const webhooks: WebhookEvent[] = [];
  let secret = "";

  const keepIfSigned = async ({ headers, body }: WebhookPost): Promise<number> => {
    const verdict = await verifyWebhook({
      rawBody: body,
      header: headers["X-Service-Signature"],
      secret,
      now: Math.floor(now() / 1000),
    });
    if (verdict.ok) webhooks.push(verdict.event);
    return verdict.ok ? 200 : 400;
  };

  const transport: WebhookTransport = {
    check: async () => ({ ok: true }),
    async send(post) {
      const kept = await keepIfSigned(post);
      return sentWith(deliverTo ? await handOver(post, deliverTo) : kept);
    },
  };

  const handOver = async (
    { url, headers, body }: WebhookPost,
    deliver: DeliverTo,
  ): Promise<number> => {
    const bytes = typeof body === "string" ? body : new Uint8Array(body);
    const request = new Request(url, { method: "POST", headers: { ...headers }, body: bytes });
    const response = await deliver(request, { secret, now });
    await response.body?.cancel();
    return response.status;
  };

  const trustSecret = (given: string): void => {
    secret = given;
  };
  return { transport, webhooks, trustSecret };
}

function sentWith(status: number): Sent {
  const ok = status >= 200 && status < 300;
  return { ok, status, error: ok ? null : "http_status", snippet: null, duration_ms: 0 };
}
