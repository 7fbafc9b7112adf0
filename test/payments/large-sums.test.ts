import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { scriptedShop } from "./scripted-shop.ts";

const largest = Number.MAX_SAFE_INTEGER;

describe.each(storages)("amounts that add up to more than 2^53-1, on %s", (_name, open) => {
  test("are refused in the numbers of a range, and exact in a shorter one", async () => {
    const shop = await scriptedShop(await open());
    const product = await shop.owner.products.create(shop.a.id, {
      ...{ slug: "dear", name: "Dear", currency: "BRL", price: largest },
    });
    const buy = async (id: string) => {
      const session = await shop.session({ items: [{ product_id: product.id, quantity: 1 }] });
      const paid = {
        status: "succeeded",
        reference: id,
        amount: largest,
        currency: "BRL",
      } as const;
      expect((await shop.submit(session, paid)).order.status).toBe("paid");
    };
    const from = new Date(shop.now()).toISOString();
    await buy("first");
    shop.advance(3_600_000);
    const middle = new Date(shop.now()).toISOString();
    await buy("second");
    shop.advance(3_600_000);
    const to = new Date(shop.now()).toISOString();

    const stats = (from: string, to: string) =>
      shop.owner.stats({
        store_id: shop.a.id,
        livemode: false,
        from,
        to,
        interval: "hour",
        timezone: "UTC",
      });
    for (const one of [await stats(from, middle), await stats(middle, to)])
      expect(one.currencies[0]?.totals.amount_gross).toBe(largest);
    expect(await thrownBy(stats(from, to))).toMatchObject({ code: "amount_out_of_range" });
  });

  test("are refused in the refunds that a provider tells of for one order", async () => {
    const shop = await scriptedShop(await open());
    const paid = { reference: "r", payment_reference: "m", amount: 1000, currency: "BRL" } as const;
    const { order } = await shop.submit(await shop.session(), { ...paid, status: "succeeded" });
    const back = (reference: string) =>
      shop.tell({ ...paid, type: "refund", status: "succeeded", reference, amount: largest });

    expect(await back("re1")).toMatchObject({ outcome: "applied" });
    expect(await thrownBy(back("re2"))).toMatchObject({ code: "amount_out_of_range" });
    expect(await shop.order(order.id)).toMatchObject({ amount_refunded: largest });
  });
});
