import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

test.each([{}, { ok: "yes", status: 200 }, { ok: 1 }])(
  "an answer %o of a host's own transport is no delivery, and is told by its name",
  async (answer) => {
    const shop = await createShop(memoryStorage(), {
      transport: { check: async () => ({ ok: true }), send: async () => answer as never },
    });
    await shop.owner.endpoints.create({
      ...{ store_id: shop.a.id, livemode: false, url: "https://hooks.example.com/x" },
      event_types: ["order.paid"],
    });
    await shop.buy();
    expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 0, rescheduled: 1 });
    expect(String(shop.errors)).toContain("transport's send gave an answer whose ok");
  },
);
