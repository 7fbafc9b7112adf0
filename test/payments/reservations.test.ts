import { beforeEach, expect, test } from "vitest";
import { type CatalogSource, memoryStorage } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";

// When the host's catalog is asked is decided above every storage, so that memory is enough.

let shop: Shop;
let told: string[];
let isDown: boolean;

beforeEach(async () => {
  told = [];
  isDown = false;
  const article = ownArticle("42");
  const note =
    <T>(step: string, answer: T) =>
    async (): Promise<T> => {
      told.push(step);
      if (isDown) throw new Error("The host's database is down.");
      return answer;
    };
  const catalog: CatalogSource = {
    list: async () => ({ products: [article], next: null }),
    find: async () => article,
    categories: async () => [],
    cart: async () => [{ product: article, on_hand: 5 }],
    reserve: note("reserve", true),
    confirm: note("confirm", undefined),
    release: note("release", undefined),
  };
  shop = await createShop(memoryStorage(), { limits: { checkout: null }, catalog });
});

const openSession = (body: object = {}) =>
  shop.session({ items: [{ product_id: "42", quantity: 1 }], ...body });
const submit = async (made: Awaited<ReturnType<typeof openSession>>, outcome = "succeed") =>
  shop.storefront.checkout.submit(shop.tokenOf(made), {
    payment_method_id: shop.a.method_id,
    input: { outcome },
  });

test("a reservation is released when the submission is refused after it", async () => {
  await shop.owner.coupons.create(shop.a.id, {
    code: "ONCE",
    discount_type: "percentage",
    discount_amount: 10,
    max_uses_per_customer: 1,
  });
  const made = await openSession({ coupon_code: "ONCE" });
  // A session may hold a use before its buyer is known; an order may not.
  expect(await thrownBy(submit(made))).toMatchObject({ code: "coupon_invalid" });
  expect(told).toEqual(["reserve", "release"]);
});

test("nothing is reserved when the session cannot hold its coupon any more", async () => {
  const coupon = await shop.owner.coupons.create(shop.a.id, {
    code: "ONCE",
    discount_type: "percentage",
    discount_amount: 10,
  });
  const made = await openSession({ coupon_code: "ONCE" });
  await shop.owner.coupons.update(shop.a.id, coupon.id, { enabled: false });
  expect(await thrownBy(submit(made))).toMatchObject({ code: "coupon_invalid" });
  expect(told).toEqual([]);
});

test("nothing is reserved for a session that has expired", async () => {
  const made = await openSession();
  shop.advance(30 * 60_000);
  expect(await thrownBy(submit(made))).toMatchObject({ code: "session_expired" });
  expect(told).toEqual([]);
});

test("an order whose confirmation failed is confirmed by maintenance, once", async () => {
  const made = await openSession();
  await submit(made, "pending_then_succeed");
  isDown = true;
  await shop.storefront.checkout.resume(shop.tokenOf(made));
  // Each confirmation asks first whether the pieces are still reserved.
  expect(told).toEqual(["reserve", "reserve"]);

  isDown = false;
  shop.advance(60_000);
  expect(await shop.storefront.runMaintenance()).toMatchObject({ reservations_settled: 1 });
  shop.advance(3_600_000);
  expect(await shop.storefront.runMaintenance()).toMatchObject({ reservations_settled: 0 });
  expect(told).toEqual(["reserve", "reserve", "reserve", "confirm"]);
});
