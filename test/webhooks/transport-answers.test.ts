import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

const answers = [undefined, null, {}, { ok: "yes", status: 200 }, { ok: 1 }];

test.each(answers.flatMap((answer) => [[answer, false] as const, [answer, true] as const]))(
  "an answer %o of a host's own transport is no delivery, and is told by its name (observed: %o)",
  async (answer, isObserved) => {
    const ends: unknown[] = [];
    const observer = { delivery: () => (end: unknown) => void ends.push(end) };
    const shop = await createShop(memoryStorage(), {
      transport: { check: async () => ({ ok: true }), send: async () => answer as never },
      ...(isObserved ? { observer } : { logger: undefined }),
    });
    await shop.owner.endpoints.create({
      ...{ store_id: shop.a.id, livemode: false, url: "https://hooks.example.com/x" },
      event_types: ["order.paid"],
    });
    await shop.buy();
    expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 0, rescheduled: 1 });
    expect(String(shop.errors)).toContain("transport's send gave an answer whose ok");
    expect(ends).toMatchObject(isObserved ? [{ delivered: false, error: null }] : []);
  },
);
