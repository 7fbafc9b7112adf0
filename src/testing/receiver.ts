import type { WebhookEvent } from "../contract/events.ts";
import { invalidOption } from "../input/option-error.ts";
import type { Sent, WebhookPost, WebhookTransport } from "../webhooks/send/transport.ts";
import { verifyWebhook } from "../webhooks/verify.ts";
import type { DeliverTo } from "./harness-types.ts";

/**
 * Makes a transport that delivers to memory: it hands each delivery to the receiver
 * under test, and keeps the events that were taken and whose signature is right.
 */
export function memoryReceiver(now: () => number, deliverTo: DeliverTo | undefined) {
  const webhooks: WebhookEvent[] = [];
  let secret = "";
  let hasFault = false;

  const readSigned = async ({ headers, body }: WebhookPost): Promise<WebhookEvent | null> => {
    const verdict = await verifyWebhook({
      rawBody: body,
      header: headers["X-Service-Signature"],
      secret,
      now: Math.floor(now() / 1000),
    });
    return verdict.ok ? verdict.event : null;
  };

  const handOver = async (
    { url, headers, body }: WebhookPost,
    deliver: DeliverTo,
  ): Promise<Sent> => {
    const bytes = typeof body === "string" ? body : new Uint8Array(body);
    const request = new Request(url, { method: "POST", headers: { ...headers }, body: bytes });
    try {
      // JavaScript may give anything, such as nothing where a `return` was forgotten.
      const response: Partial<Response> | null | undefined = await deliver(request, {
        secret,
        now,
      });
      if (typeof response?.status === "number") {
        if (!response.bodyUsed) await response.body?.cancel();
        return sentWith(response.status);
      }
      hasFault = true;
      return lost("deliverTo gave no Response");
    } catch (error) {
      return lost(String(error));
    }
  };

  const transport: WebhookTransport = {
    check: async () => ({ ok: true }),
    async send(post) {
      const event = await readSigned(post);
      const sent = deliverTo ? await handOver(post, deliverTo) : sentWith(event ? 200 : 400);
      if (event && sent.ok) webhooks.push(event);
      return sent;
    },
  };

  return {
    transport,
    webhooks,
    trustSecret(given: string): void {
      secret = given;
    },
    /** Throws when `deliverTo` has given something else than an answer since the last call. */
    requireAnswers(): void {
      const had = hasFault;
      hasFault = false;
      if (had) invalidOption("deliverTo", "must give a Response, or a promise of one");
    },
  };
}

function sentWith(status: number): Sent {
  const ok = status >= 200 && status < 300;
  return { ok, status, error: ok ? null : "http_status", snippet: null, duration_ms: 0 };
}

/** A receiver that throws gives no answer, as one whose connection breaks. */
const lost = (message: string): Sent => ({
  ok: false,
  status: null,
  error: "connection_reset",
  snippet: message.slice(0, 1_000),
  duration_ms: 0,
});
