import { beforeEach, describe, expect, test } from "vitest";
import { createStorefront, memoryStorage, type Storage, type StorefrontOptions } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import {
  type Answer,
  codeOf,
  createShop,
  returnUrl,
  type Shop,
  thrownBy,
} from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const payAt = (id: string): string => `https://pay.example.com/${id}`;

describe.each(storages)("goods that a session holds, on %s", (_name, open) => {
  let shop: Shop;
  let product_id: string;
  /** What the page builder does with a session. */
  let build: (id: string) => Promise<string>;
  let ips: number;
  beforeEach(async () => {
    ips = 0;
    build = async (id) => payAt(id);
    shop = await openShop(await open());
    const { id } = await shop.owner.products.create(shop.a.id, {
      name: "Last piece",
      price: 1000,
      currency: "BRL",
      stock: 3,
    });
    product_id = id;
  });

  const openShop = (storage: Storage, options: Partial<StorefrontOptions> = {}): Promise<Shop> =>
    createShop(storage, {
      limits: { checkout: null },
      checkout: { url: ({ id }) => build(id), hold: true },
      ...options,
    });
  const buy = (quantity = 1, more: Parameters<Shop["session"]>[1] = {}): Promise<Answer> => {
    ips += 1;
    return shop.session(
      { items: [{ product_id, quantity }] },
      { ip: `198.51.100.${ips}`, ...more },
    );
  };
  const withKey = (key: string, quantity = 1): Promise<Answer> =>
    buy(quantity, { headers: { "idempotency-key": key } });
  const left = async (): Promise<number | null | undefined> => {
    const partition = { store_id: shop.a.id, livemode: false };
    const cart = await shop.storage.checkout.loadCart(partition, [product_id], null);
    return cart.products[0]?.on_hand;
  };
  const where = () => ({ store_id: shop.a.id, livemode: false });
  const paid = (reference: string) => ({
    ...where(),
    reference,
    status: "paid" as const,
    amount: 1000,
    currency: "BRL",
  });
  const inMinutes = (minutes: number): string =>
    new Date(shop.now() + minutes * 60_000).toISOString();

  test("a session holds its goods before the page is built, and its order takes them over", async () => {
    let during: unknown;
    build = async (id) => {
      during = await left();
      return payAt(id);
    };
    const made = await buy();
    expect([made.status, during, await left()]).toEqual([201, 2, 2]);

    const { checkout } = shop.storefront;
    await checkout.complete(made.body.data.id, paid("r1"));
    expect(await left()).toBe(2);
    shop.advance(86_400_000);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ holds_released: 0 });
    expect(await left()).toBe(2);
    expect((await shop.owner.alerts.list(shop.a.id)).data).toEqual([]);
  });

  test("a page builder that fails gives the goods back, and the retry begins with the same session", async () => {
    const asked: string[] = [];
    build = async (id) => {
      asked.push(id);
      if (asked.length === 1) throw new Error("The provider is down.");
      return payAt(id);
    };
    expect(codeOf(await withKey("k", 3))).toEqual([503, "service_unavailable"]);
    expect(await left()).toBe(3);

    const made = await withKey("k", 3);
    expect(made.body.data).toMatchObject({ id: asked[0], checkout_url: payAt(asked[0] ?? "") });
    expect([asked[1], await left()]).toEqual([asked[0], 0]);
    expect(codeOf(await buy())).toEqual([400, "insufficient_stock"]);
  });

  test("after a lost answer the session has the prices and lines that the first call saw", async () => {
    let answer = (_url: string): void => {};
    let first = "";
    build = (id) => {
      first = id;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const lost = withKey("k", 3);
    await expect.poll(() => first).not.toBe("");
    await shop.owner.products.update(shop.a.id, product_id, { price: 9900, blocked: true });

    // Another process takes the key over once the claim of the first has ended.
    shop.advance(30_000);
    const other = createStorefront({
      storage: shop.storage,
      docsUrl: "https://docs.example.com/errors",
      checkout: { url: ({ id, amount_total }) => `${payAt(id)}/${amount_total}`, hold: true },
      sealKey: new Uint8Array(32).fill(3),
      limits: { checkout: null },
      now: shop.now,
    });
    const response = await other.handler(
      new Request("http://host/v1/checkout/sessions", {
        method: "POST",
        headers: {
          authorization: `Bearer ${shop.a.test.pub}`,
          "content-type": "application/json",
          "idempotency-key": "k",
        },
        body: JSON.stringify({
          items: [{ product_id, quantity: 3 }],
          success_url: returnUrl,
          cancel_url: returnUrl,
        }),
      }),
    );
    const { data } = await response.json();
    expect(data).toMatchObject({ id: first, checkout_url: `${payAt(first)}/3000` });

    answer(payAt(first));
    expect((await lost).body.data).toEqual(data);
    expect(await left()).toBe(0);
  });

  test("what a dead process held is given back after the session's end", async () => {
    build = () => new Promise(() => {});
    void withKey("dead", 3);
    await expect.poll(left).toBe(0);

    shop.advance(30 * 60_000 - 1);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ holds_released: 0 });
    shop.advance(1);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ holds_released: 1 });
    expect(await left()).toBe(3);
  });

  test("one address has at most twenty open holds, and a secret key counts by the buyer it names", async () => {
    await shop.owner.products.update(shop.a.id, product_id, { stock: 50 });
    const sameAddress = { ip: "203.0.113.1" };
    const made = await Promise.all(Array.from({ length: 25 }, () => buy(1, sameAddress)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = made.find(({ status }) => status !== 201);
    expect(refused && codeOf(refused)).toEqual([429, "rate_limit_exceeded"]);
    expect(refused?.headers["retry-after"]).toBe("60");
    expect(await left()).toBe(30);

    expect((await buy(1, { ...sameAddress, key: shop.a.test.sec })).status).toBe(201);
    const { id } = made.find(({ status }) => status === 201)?.body.data ?? {};
    await shop.storefront.checkout.expire(id, where());
    expect((await buy(1, sameAddress)).status).toBe(201);
  });

  test("`checkout.hold` moves the end of a hold, for at most 24 hours", async () => {
    const { checkout } = shop.storefront;
    const made = await buy();
    const { id } = made.body.data;
    const until = inMinutes(90);
    expect(await checkout.hold(id, { ...where(), until })).toEqual({ session_id: id, until });
    for (const wrong of [inMinutes(-1), inMinutes(24 * 60 + 1)])
      expect(await thrownBy(checkout.hold(id, { ...where(), until: wrong }))).toMatchObject({
        code: "parameter_invalid",
        param: "until",
      });
    expect(await thrownBy(checkout.hold(id, { ...where(), until: "tomorrow" }))).toMatchObject({
      message: expect.stringMatching(
        /^until must be ISO 8601 text .+, such as 2026-01-31T12:00:00Z/,
      ),
    });
    expect(await thrownBy(checkout.hold("cs_unknown", { ...where(), until }))).toMatchObject({
      code: "resource_not_found",
    });

    shop.advance(60 * 60_000);
    await shop.storefront.runMaintenance();
    expect(await left()).toBe(2);
    expect(await thrownBy(checkout.hold(id, { ...where(), until: inMinutes(90) }))).toMatchObject({
      code: "session_expired",
    });
    await checkout.complete(id, paid("r1"));
    expect((await shop.owner.alerts.list(shop.a.id)).data).toEqual([]);
    expect(await thrownBy(checkout.hold(id, { ...where(), until: inMinutes(9) }))).toMatchObject({
      code: "session_not_open",
    });
  });
});

describe("a hold that cannot be kept is a wrong option", () => {
  const article = ownArticle("42");
  const catalog = {
    list: async () => ({ products: [article], next: null }),
    find: async () => article,
    categories: async () => [],
    cart: async () => [{ product: article, on_hand: 1 }],
  };
  const start = (options: object) =>
    createStorefront({
      storage: memoryStorage(),
      docsUrl: "https://docs.example.com/errors",
      checkout: { url: ({ id }) => payAt(id), hold: true },
      ...options,
    });

  test("with the hosted page, with another value, or with a catalog that cannot reserve", () => {
    const baseUrl = "https://pay.example.com/c";
    const wrong = { url: ({ id }: { id: string }) => payAt(id), hold: "yes" };
    expect(() => start({ checkout: { baseUrl, hold: true } })).toThrow(
      /checkout\.hold goes only with/,
    );
    expect(() => start({ checkout: wrong })).toThrow(/must be true or false/);
    expect(() => start({ catalog })).toThrow(/needs `reserve`/);
  });

  test("`checkout.hold` says so too", async () => {
    const shop = await createShop(memoryStorage(), { catalog });
    const made = await shop.session({ items: [{ product_id: "42", quantity: 1 }] });
    const until = new Date(shop.now() + 60_000).toISOString();
    const hold = { store_id: shop.a.id, livemode: false, until };
    expect(await thrownBy(shop.storefront.checkout.hold(made.body.data.id, hold))).toMatchObject({
      code: "invalid_option",
      param: "catalog",
    });
  });
});
