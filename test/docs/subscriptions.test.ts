import { expect, test } from "vitest";
import type { Storefront } from "vitrine";
import type { PayLink } from "vitrine/owner";
import { importFromDocs } from "../support/docs-module.ts";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const guide = "docs/subscriptions.md";
const month = 31 * 86_400_000;

interface Guide {
  sellPlan(storefront: Storefront, store_id: string): Promise<string>;
  linkFor(storefront: Storefront, store_id: string, id: string): Promise<PayLink>;
}

test.each(storages)(
  "the guide's plan is sold and charged for a year, on %s",
  async (_name, open) => {
    const { sellPlan } = await importFromDocs<Guide>(guide, "sellPlan");
    const { linkFor } = await importFromDocs<Guide>(guide, "linkFor");
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const { storefront, a, owner } = shop;

    const product_id = await sellPlan(storefront, a.id);
    const [method] = (await owner.paymentMethods.list(a.id)).filter(
      (each) => each.name === "Card" && each.gateway === "sandbox",
    );
    const submit = {
      payment_method_id: method?.id,
      consent: "Every month",
      customer: { id: "u_1" },
    };
    const order = await shop.buy({ items: [{ product_id, quantity: 1 }] }, {}, submit);
    const id = order.subscription_id ?? "";
    const where = { store_id: a.id, livemode: false };

    for (let turn = 0; turn < 12; turn += 1)
      expect(await owner.testClock.advance({ store_id: a.id, ms: month })).toMatchObject({
        status: "ready",
      });
    const subscription = await storefront.subscriptions.retrieve(id, where);
    expect(subscription.status).toBe("active");
    const paid = await owner.orders.list({ ...where, status: "paid", limit: 100 });
    expect(paid.data.map(({ amount_total }) => amount_total)).toEqual(Array(13).fill(4900));

    const { url } = await linkFor(storefront, a.id, id);
    expect(new URL(url).protocol).toBe("https:");
  },
);
