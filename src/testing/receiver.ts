import type { WebhookEvent } from "../contract/events.ts";
import type { WebhookTransport } from "../webhooks/transport.ts";
import { verifyWebhook } from "../webhooks/verify.ts";

/** A transport that delivers to memory: it keeps the events whose signature is right. */
export function memoryReceiver(now: () => number) {
  const webhooks: WebhookEvent[] = [];
  let secret = "";

  const transport: WebhookTransport = {
    check: async () => ({ ok: true }),
    async send({ headers, body }) {
      const verdict = await verifyWebhook({
        rawBody: body,
        header: headers["X-Service-Signature"],
        secret,
        now: Math.floor(now() / 1000),
      });
      if (verdict.ok) webhooks.push(verdict.event);

      return {
        ok: verdict.ok,
        status: verdict.ok ? 200 : 400,
        error: verdict.ok ? null : "http_status",
        snippet: null,
        duration_ms: 0,
      };
    },
  };

  const trustSecret = (given: string): void => {
    secret = given;
  };
  return { transport, webhooks, trustSecret };
}
