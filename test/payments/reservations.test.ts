import { beforeEach, describe, expect, test } from "vitest";
import { type CatalogSource, memoryStorage, type SourceProduct, type Storage } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import { createShop, returnUrl, type Shop, thrownBy } from "../support/shop.ts";

// When the host's catalog is asked is decided above every storage, so that memory is enough.

let shop: Shop;
let told: string[];
let isDown: boolean;
let storage: Storage;
let article: SourceProduct;
let catalog: CatalogSource;

beforeEach(async () => {
  told = [];
  isDown = false;
  article = ownArticle("42");
  const note =
    <T>(step: string, answer: T) =>
    async (): Promise<T> => {
      told.push(step);
      if (isDown) throw new Error("The host's database is down.");
      return answer;
    };
  catalog = {
    list: async () => ({ products: [article], next: null }),
    find: async () => article,
    categories: async () => [],
    cart: async () => [{ product: article, on_hand: 5 }],
    reserve: note("reserve", true),
    confirm: note("confirm", undefined),
    release: note("release", undefined),
  };
  storage = memoryStorage();
  shop = await createShop(storage, { limits: { checkout: null }, catalog });
});

const openSession = (body: object = {}) =>
  shop.session({ items: [{ product_id: "42", quantity: 1 }], ...body });
const submit = async (made: Awaited<ReturnType<typeof openSession>>, outcome = "succeed") =>
  shop.storefront.checkout.submit(shop.tokenOf(made), {
    payment_method_id: shop.a.method_id,
    input: { outcome },
  });

test.each([undefined, null, "true", 1, {}])(
  "a reserve that gives %o reserves nothing, and the host is told which hook it was",
  async (answer) => {
    const made = await openSession();
    Object.assign(catalog, { reserve: async () => answer });
    expect(await thrownBy(submit(made))).toMatchObject({
      code: "service_unavailable",
      cause: { message: expect.stringContaining("reserve gave") },
    });
    expect((await shop.owner.orders.list({ store_id: shop.a.id, livemode: false })).data).toEqual(
      [],
    );
  },
);

test("a count of the host's catalog that is no number is told, and sells nothing", async () => {
  Object.assign(catalog, {
    cart: async () => [{ product: article, on_hand: undefined }],
  });
  const made = await openSession();
  expect([made.status, made.body.error.code]).toEqual([500, "internal_error"]);
  expect(String(shop.errors)).toContain("on_hand");
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

test.each([
  ["waits for the payment", "pending_then_succeed", []],
  ["has paid", "succeed", ["reserve", "confirm"]],
])(
  "a late release frees no piece of a buyer who has come back and %s",
  async (_, outcome, then) => {
    const made = await openSession();
    const { orders } = storage;
    const { settleReservation, claimWork } = orders;
    orders.settleReservation = async () => {
      throw new Error("The process ends.");
    };
    await submit(made, "decline");
    orders.settleReservation = settleReservation;
    expect(told).toEqual(["reserve", "release"]);

    // The buyer comes back after maintenance has read that the order failed.
    const claimFirst: typeof claimWork = async (kind, work) => {
      const rows = await claimWork(kind, work);
      orders.claimWork = claimWork;
      expect(rows).toHaveLength(1);
      await submit(made, outcome);
      return rows;
    };
    orders.claimWork = claimFirst;
    shop.advance(10 * 60_000);
    await shop.storefront.runMaintenance();
    expect(told).toEqual(["reserve", "release", "reserve", ...then]);
  },
);

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

describe("of a period that the buyer pays by a link", () => {
  const month = { interval: "month" as const, interval_count: 1 };

  /** Sells a subscription to the host's article, and makes a link for its next period. */
  async function link(): Promise<string> {
    article = { ...article, recurring: month };
    const { owner, a, storefront } = shop;
    await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
    const { order } = await submit(await openSession());
    const where = { store_id: a.id, livemode: false };
    const id = order.subscription_id ?? "";
    const { url } = await storefront.subscriptions.payLink(id, {
      ...where,
      success_url: returnUrl,
    });
    told = [];
    return url.split("/").at(-1) ?? "";
  }

  test.each(["succeed", "decline"])(
    "no piece is taken when the payment says %s",
    async (outcome) => {
      const payment = { payment_method_id: shop.a.method_id, input: { outcome } };
      await shop.storefront.checkout.submit(await link(), payment);
      expect(told).toEqual([]);
    },
  );

  test("no piece is held either", async () => {
    const session_id = (await link()).split(".")[2] ?? "";
    const until = new Date(shop.now() + 60_000).toISOString();
    const where = { store_id: shop.a.id, livemode: false };
    await shop.storefront.checkout.hold(session_id, { ...where, until });
    shop.advance(120_000);
    await shop.storefront.runMaintenance();
    expect(told).toEqual([]);
  });
});
