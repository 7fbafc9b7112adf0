import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("isolation of stores, modes and scopes, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });

  test("a publishable key has no scope for orders and events", async () => {
    for (const path of ["/orders", "/orders/ord_x", "/events"])
      expect(codeOf(await shop.get(path, { key: shop.a.live.pub }))).toEqual([
        403,
        "insufficient_scope",
      ]);
  });

  test("a secret key created with fewer scopes lacks the others", async () => {
    const { key } = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: true,
      kind: "secret",
      scopes: ["catalog:read"],
    });
    expect((await shop.get("/products", { key })).status).toBe(200);
    for (const path of ["/events", "/orders", "/categories"])
      expect(codeOf(await shop.get(path, { key }))).toEqual([403, "insufficient_scope"]);
    expect(codeOf(await shop.session({}, { key }))).toEqual([403, "insufficient_scope"]);
  });

  test("an order of another store or mode answers 404, never 403", async () => {
    const order = await shop.buy();
    expect((await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec })).body.data.id).toBe(
      order.id,
    );
    for (const [id, key] of [
      [order.id, shop.a.live.sec],
      [order.id, shop.b.test.sec],
      [order.id.toLowerCase(), shop.a.test.sec],
      ["nonsense", shop.a.test.sec],
    ] as const) {
      expect(faultOf(await shop.get(`/orders/${id}`, { key }))).toEqual([
        404,
        "resource_not_found",
        "id",
      ]);
    }
  });

  test("a product of another store is unavailable and its coupon is invalid", async () => {
    expect(
      faultOf(await shop.session({ items: [{ product_id: shop.foreign.id, quantity: 1 }] })),
    ).toEqual([400, "product_unavailable", "items"]);
    const answer = await shop.post("/coupons/validate", {
      key: shop.a.live.pub,
      body: { code: "ONLYB", items: [{ product_id: shop.product.id, quantity: 1 }] },
    });
    expect(answer.body.data.valid).toBe(false);
    expect(
      codeOf(await shop.get(`/products/${shop.foreign.id}`, { key: shop.a.live.pub })),
    ).toEqual([404, "resource_not_found"]);
  });

  test("one Idempotency-Key makes a session for each store and mode", async () => {
    const headers = { "idempotency-key": "same" };
    const url = "https://shop.example-b.com/ok";
    const body = {
      items: [{ product_id: shop.foreign.id, quantity: 1 }],
      success_url: url,
      cancel_url: url,
    };
    const answers = [
      await shop.session({}, { headers }),
      await shop.session({}, { headers, key: shop.a.live.pub }),
      await shop.session(body, { headers, key: shop.b.test.pub }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(3);
    expect(answers.map((answer) => answer.body.livemode)).toEqual([false, true, false]);
  });

  test("a buyer token of another store or mode is invalid_customer_token", async () => {
    const issue = (store_id: string, livemode: boolean) =>
      shop.storefront.customers.issueToken({ store_id, livemode, customer_id: "u1" });
    for (const { token } of [await issue(shop.b.id, true), await issue(shop.a.id, false)]) {
      const answer = await shop.get("/customers/me/orders", {
        key: shop.a.live.sec,
        headers: { "x-service-customer-token": token },
      });
      expect(codeOf(answer)).toEqual([401, "invalid_customer_token"]);
    }
  });

  test("another store's ETag never gives a 304", async () => {
    const { headers } = await shop.get("/products", { key: shop.b.live.pub });
    expect(
      (
        await shop.get("/products", {
          key: shop.a.live.pub,
          headers: { "if-none-match": headers["etag"] ?? "" },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await shop.get("/products", {
          key: shop.b.test.pub,
          headers: { "if-none-match": headers["etag"] ?? "" },
        })
      ).status,
    ).toBe(200);
  });

  test("a store without the headless API answers 403 on every route", async () => {
    await shop.owner.stores.update(shop.a.id, { headless_enabled: false });
    for (const path of ["/store", "/products", "/orders", "/nowhere"])
      expect(codeOf(await shop.get(path, { key: shop.a.live.sec }))).toEqual([
        403,
        "headless_disabled",
      ]);
  });

  test("escapes in a path do not reach another route", async () => {
    const key = shop.a.live.sec;
    for (const path of [
      "/orders/..%2fstore",
      "/orders/%2e%2e/store",
      "/orders/ord%2f..",
      "/orders/%2e%2e%2fproducts",
      "/products/__proto__",
      "/products/constructor",
      "/products/hasOwnProperty",
      "//store",
      "/store/",
    ]) {
      expect((await shop.get(path, { key })).status, path).toBe(404);
    }
  });

  test("filters with brackets, doubled or unknown values are 400", async () => {
    for (const query of [
      "status[$ne]=paid",
      "status[]=paid",
      "status=nope",
      "status=paid&status=paid",
    ]) {
      expect(codeOf(await shop.get(`/orders?${query}`, { key: shop.a.live.sec })), query).toEqual([
        400,
        "parameter_invalid",
      ]);
    }
    expect((await shop.get("/orders?unknown=1", { key: shop.a.live.sec })).status).toBe(400);
  });

  test("orders, numbers and events count per mode", async () => {
    expect((await shop.buy()).number).toBe(1);
    const live = await shop.session({}, { key: shop.a.live.pub });
    const view = await shop.storefront.checkout.view(shop.tokenOf(live));
    expect(view.payment_methods.map((method) => method.type)).toEqual(["card"]);
    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(live), {
      payment_method_id: view.payment_methods[0]?.id,
    });
    expect([order.number, order.status]).toEqual([1, "paid"]);
    const sequences = async (key: string) =>
      (await shop.get("/events", { key })).body.data.map(
        (event: { sequence: number }) => event.sequence,
      );
    expect(await sequences(shop.a.test.sec)).toEqual([1, 2, 3]);
    expect(await sequences(shop.a.live.sec)).toEqual([1, 2, 3]);
  });

  test("a payment method is listed when it is enabled and its gateway is of the mode", async () => {
    const types = async (key: string) =>
      (await shop.get("/payment-methods", { key })).body.data.map(
        (method: { type: string }) => method.type,
      );
    expect(await types(shop.a.test.pub)).toEqual(["pix"]);
    expect(await types(shop.a.live.pub)).toEqual(["card"]);
  });
});
