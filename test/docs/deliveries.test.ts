import { expect, test } from "vitest";
import type { Storefront } from "vitrine";
import { type Client, createClient } from "vitrine/client";
import { importFromDocs } from "../support/docs-module.ts";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const guide = "docs/deliveries.md";

interface Guide {
  sellEditor(storefront: Storefront, store_id: string): Promise<string>;
  keysOf(client: Client, customerToken: string): Promise<string[]>;
  followEntitlements(
    storefront: Storefront,
    access: Set<string>,
    signal: AbortSignal,
  ): Promise<void>;
}

test.each(storages)(
  "the guide's license key is sold, shown and taken back, on %s",
  async (_name, open) => {
    const { sellEditor } = await importFromDocs<Guide>(guide, "sellEditor");
    const { keysOf } = await importFromDocs<Guide>(guide, "keysOf");
    const { followEntitlements } = await importFromDocs<Guide>(guide, "followEntitlements");
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const { storefront, a } = shop;
    const where = { store_id: a.id, livemode: false };

    const items = [{ product_id: await sellEditor(storefront, a.id), quantity: 1 }];
    const order = await shop.buy({ items }, {}, { customer: { id: "u_1" } });
    const client = createClient({
      baseUrl: "http://shop.example/v1",
      key: a.test.pub,
      fetch: (address, init) => storefront.handler(new Request(address, init)),
    });
    const { token } = await storefront.customers.issueToken({ ...where, customer_id: "u_1" });
    expect(await keysOf(client, token)).toEqual([expect.stringMatching(/^(\w{5}-){4}\w{5}$/)]);

    const access = new Set<string>();
    const stop = new AbortController();
    const following = followEntitlements(storefront, access, stop.signal);
    await expect.poll(() => access.size, { timeout: 10_000 }).toBe(1);
    await storefront.orders.refund(order.id, { ...where, reference: "r1" });
    await expect.poll(() => access.size, { timeout: 10_000 }).toBe(0);
    expect(await keysOf(client, token)).toEqual([]);
    stop.abort();
    await following;
  },
);
