import { describe, expect, test } from "vitest";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const unclean = ["a\u0000b", "a\ud800", "\udc00b"];

/**
 * Calls of the owner or the host, each with one text field spoiled. Addresses are missing here:
 * they are parsed as URLs. A spoiled id is looked up and not found.
 */
describe.each(storages)("NUL and lone surrogates never reach %s", (_name, open) => {
  test("every call of the owner or the host refuses them and names the field", async () => {
    const shop = await createShop(await open());
    const { owner, checkout, customers } = shop.storefront;
    const { id } = shop.a;
    const token = shop.tokenOf(await shop.session());
    const partition = { store_id: id, livemode: false };
    const of = (bad: string): Readonly<Record<string, () => Promise<unknown>>> => ({
      "store name": () => owner.stores.create({ name: bad, currency: "BRL" }),
      "store slug": () => owner.stores.create({ name: "x", slug: bad, currency: "BRL" }),
      "store description": () => owner.stores.update(id, { description: bad }),
      "store support": () => owner.stores.update(id, { support_email: `${bad}@example.com` }),
      "store url": () => owner.stores.update(id, { website_url: `https://example.com/${bad}` }),
      "store id": () => owner.stores.retrieve(bad),
      "store cursor": () => owner.stores.list({ starting_after: bad }),
      "key name": () => owner.keys.create({ ...partition, kind: "secret", name: bad }),
      "key id": () => owner.keys.revoke(id, bad),
      origin: () => owner.origins.add(id, `https://a.example.com${bad}`),
      "product id": () =>
        owner.products.put(id, { id: `prod_${bad}`, name: "x", price: 1, currency: "BRL" }),
      "product name": () => owner.products.create(id, { name: bad, price: 1, currency: "BRL" }),
      "product slug": () =>
        owner.products.create(id, { name: "x", slug: bad, price: 1, currency: "BRL" }),
      "product description": () =>
        owner.products.create(id, { name: "x", description: bad, price: 1, currency: "BRL" }),
      "product image": () =>
        owner.products.create(id, {
          name: "x",
          images: [`https://a.example.com/${bad}`],
          price: 1,
          currency: "BRL",
        }),
      "product category": () =>
        owner.products.create(id, { name: "x", category_ids: [bad], price: 1, currency: "BRL" }),
      "product variable": () =>
        owner.products.create(id, {
          name: "x",
          price: 1,
          currency: "BRL",
          variables: [{ key: "k", label: bad, type: "text" }],
        }),
      "product looked up": () => owner.products.retrieve(id, bad),
      "product cursor": () => owner.products.list(id, { starting_after: bad }),
      "category name": () => owner.categories.create(id, { name: bad }),
      "category parent": () => owner.categories.create(id, { name: "x", parent_id: bad }),
      "category id": () => owner.categories.delete(id, bad),
      "method name": () =>
        owner.paymentMethods.create(id, { type: "pix", name: bad, currencies: ["BRL"] }),
      "method gateway": () =>
        owner.paymentMethods.create(id, {
          type: "pix",
          name: "x",
          currencies: ["BRL"],
          gateway: bad,
        }),
      "coupon code": () =>
        owner.coupons.create(id, { code: bad, discount_type: "percentage", discount_amount: 1 }),
      "coupon product": () =>
        owner.coupons.create(id, {
          code: "x",
          discount_type: "percentage",
          discount_amount: 1,
          product_ids: [bad],
        }),
      "endpoint description": () =>
        owner.endpoints.create({ ...partition, url: "https://a.example.com/", description: bad }),
      "endpoint id": () => owner.endpoints.retrieve(partition, bad),
      "delivery filter": () => owner.deliveries.list({ ...partition, event_id: bad }),
      "alert cursor": () => owner.alerts.list(id, { starting_after: bad }),
      "checkout token": () => checkout.view(`${token}${bad}`),
      "buyer name": () =>
        checkout.submit(token, { payment_method_id: shop.a.method_id, customer: { name: bad } }),
      "buyer id": () =>
        checkout.submit(token, { payment_method_id: shop.a.method_id, customer: { id: bad } }),
      "payment method": () => checkout.submit(token, { payment_method_id: bad }),
      reference: () =>
        checkout.complete("cs_1", {
          ...partition,
          reference: bad,
          status: "paid",
          amount: 1,
          currency: "BRL",
        }),
      "completed session": () =>
        checkout.complete(bad, {
          ...partition,
          reference: "r",
          status: "paid",
          amount: 1,
          currency: "BRL",
        }),
      "order id": () => shop.storefront.orders.retrieve(bad, partition),
      "customer of a token": () => customers.issueToken({ ...partition, customer_id: bad }),
      "revoked customer": () => customers.revokeTokens({ ...partition, customer_id: bad }),
    });
    const let_in: string[] = [];
    for (const bad of unclean) {
      for (const [name, call] of Object.entries(of(bad))) {
        const result = await call().then(
          () => "accepted",
          (error: { code?: string; name: string; message: string }) =>
            error.name === "ApiError" ? (error.code ?? "") : error.message,
        );
        if (
          !/^(parameter_invalid|resource_not_found|invalid_origin|session_not_found|invalid_cursor|invalid_option)$/.test(
            result,
          )
        )
          let_in.push(`${name} ${JSON.stringify(bad)}: ${result}`);
      }
    }
    expect(let_in).toEqual([]);
  });

  test("in requests they are 400 or 404, never 500", async () => {
    const shop = await createShop(await open());
    const key = shop.a.test.sec;
    for (const path of [
      "/products?search=a%00b",
      "/products?category=%00",
      "/products?category_id=%00",
      "/products?starting_after=%00",
      "/products/%00",
      "/products/%ed%a0%80",
      "/orders?starting_after=%00",
      "/orders?status=%00",
      "/orders/ord_%00",
      "/events?starting_after=%00",
      "/checkout/sessions/cs_%00",
    ])
      expect([path, (await shop.get(path, { key })).status]).toEqual([
        path,
        expect.toSatisfy((status) => status === 400 || status === 404),
      ]);
    for (const body of [
      { metadata: { a: "\u0000" } },
      { coupon_code: "\ud800" },
      { customer: { discord_id: "\u0000" } },
    ])
      expect((await shop.session(body)).status).toBe(400);
    expect(shop.errors).toEqual([]);
  });
});
