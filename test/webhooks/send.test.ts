import { expect, test } from "vitest";
import { signWebhook } from "vitrine/webhooks";
import type { KeyRing } from "../../src/domain/keys/key-ring.ts";
import { createSend } from "../../src/webhooks/send/send.ts";
import type { WebhookPost, WebhookTransport } from "../../src/webhooks/send/transport.ts";

test.each([
  ["in force", null, true],
  ["that ends in a millisecond", 5_000_000 + 1_000, true],
  ["that ends in this millisecond", 5_000_999, false],
  ["that has ended", 4_999_999, false],
])("a secret %s (%j) signs beside the newest: %j", async (_name, expires_at, signs) => {
  const posts: WebhookPost[] = [];
  const transport = {
    async send(post: WebhookPost) {
      posts.push(post);
      return { ok: true, status: 200, error: null, snippet: null, duration_ms: 1 };
    },
  } as unknown as WebhookTransport;
  const keyRing = { unseal: async (sealed: string) => `whsec_${sealed}` } as unknown as KeyRing;
  const started_at = 5_000_999;

  await createSend({ transport, keyRing })(
    {
      endpoint_id: "we_1",
      url: "https://hooks.example.com/",
      secrets: [
        { sealed: "new", expires_at: null },
        { sealed: "old", expires_at },
      ],
      event_id: "evt_1",
      event_type: "order.paid",
      body: "{}",
    },
    { attempt: 3, started_at, timeoutMs: 1_000 },
  );
  const secret = signs ? ["whsec_new", "whsec_old"] : ["whsec_new"];
  expect(posts[0]?.headers).toMatchObject({
    "X-Service-Signature": await signWebhook({ rawBody: "{}", secret, timestamp: 5_000 }),
    "X-Service-Attempt": "3",
  });
});
