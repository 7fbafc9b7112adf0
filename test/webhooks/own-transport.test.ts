import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { WebhookPost } from "vitrine/transport";
import { verifyWebhook } from "vitrine/webhooks";
import {
  postFromQueue,
  type Queue,
  queueTransport,
} from "../../examples/own-transport/queue-transport.ts";
import { createShop } from "../support/shop.ts";

test("docs/webhooks.md, a transport of the host's own: events leave through its queue and arrive signed", async () => {
  const messages: string[] = [];
  let up = false;
  let handle: ((message: string) => Promise<void>) | undefined;
  const queue: Queue = {
    publish: async (message) => {
      if (!up) throw new Error("the broker is away");
      messages.push(message);
    },
    consume: (taker) => {
      handle = taker;
    },
  };
  const shop = await createShop(memoryStorage(), {
    transport: queueTransport(queue, async () => ({ ok: true })),
  });
  const partition = { store_id: shop.a.id, livemode: false };
  const { secret } = await shop.owner.endpoints.create({
    ...partition,
    url: "https://hooks.merchant.com/",
    event_types: ["order.paid"],
  });
  await shop.buy();
  expect(await shop.storefront.drainWebhooks()).toMatchObject({ rescheduled: 1 });
  up = true;
  shop.advance(60_000);
  expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 1 });

  const posts: WebhookPost[] = [];
  let ok = false;
  postFromQueue(queue, {
    check: async () => ({ ok: true }),
    async send(post) {
      posts.push(post);
      return {
        ok,
        status: ok ? 204 : 500,
        error: ok ? null : "http_status",
        snippet: null,
        duration_ms: 1,
      };
    },
  });
  await expect(handle?.(messages[0] ?? "")).rejects.toThrow("http_status");
  ok = true;
  await handle?.(messages[0] ?? "");
  const header = posts[1]?.headers["X-Service-Signature"];
  expect(
    await verifyWebhook({
      rawBody: posts[1]?.body ?? "",
      header,
      secret,
      now: Math.floor(shop.now() / 1_000),
    }),
  ).toMatchObject({
    ok: true,
  });
});

test("docs/webhooks.md shows the example as it is run", () => {
  const read = (path: string): string =>
    readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(read("docs/webhooks.md")).toContain(
    read("examples/own-transport/queue-transport.ts").trim(),
  );
});
