import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";

describe("a coupon refusal does the same work whatever its reason", () => {
  /** Counts what is read of the coupon and of each product while a cart is judged. */
  async function workOf(shop: Shop, code: string, product_ids: readonly string[]) {
    let reads = 0;
    const watched = <T extends object>(record: T): T =>
      new Proxy(record, {
        get(target, name) {
          reads += 1;
          return Reflect.get(target, name);
        },
      });
    const { checkout } = shop.storage;
    const { loadCart } = checkout;
    Object.assign(checkout, {
      loadCart: async (...given: Parameters<typeof loadCart>) => {
        const cart = await loadCart(...given);
        return {
          products: cart.products.map(watched),
          coupon: cart.coupon && watched(cart.coupon),
        };
      },
    });
    const items = product_ids.map((product_id) => ({ product_id, quantity: 1 }));
    const answer = await shop.post("/coupons/validate", {
      key: shop.a.test.pub,
      body: { code, items },
    });
    Object.assign(checkout, { loadCart });
    expect(answer.body.data.valid).toBe(false);
    return reads;
  }

  test("the coupon is judged when a product is unknown, and the cart is priced", async () => {
    const shop = await createShop(memoryStorage());
    await shop.owner.coupons.create(shop.a.id, {
      code: "BIG",
      discount_type: "percentage",
      discount_amount: 5,
      currency: "BRL",
      min_subtotal: 1_000_000,
    });
    const id = shop.product.id;
    const refused = await workOf(shop, "BIG", [id, id]);
    const unknown = await workOf(shop, "BIG", [id, "prod_unknown"]);
    expect(unknown).toBeGreaterThanOrEqual(refused / 2);
    expect(await workOf(shop, "SAVE10", [id, "prod_unknown"])).toBeGreaterThanOrEqual(refused / 2);
  });
});
