import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe("the form of the checkout page", () => {
  const post = async (checkout: string, headers: Record<string, string>) => {
    const shop = await createShop(memoryStorage(), { checkout: { baseUrl: checkout } });
    const made = await shop.session();
    const address = made.body.data.checkout_url;
    const answer = await shop.storefront.checkoutPage.handler(
      new Request(address, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({
          action: "pay",
          name: "Ana",
          email: "ana@example.com",
          payment_method_id: shop.a.method_id,
        }),
      }),
    );
    const view = await shop.storefront.checkout.view(shop.tokenOf(made));
    return [answer.status, view.order?.status ?? null];
  };

  test("is taken from the page's own origin, also on plain http", async () => {
    for (const origin of ["http://localhost:4242", "http://127.0.0.1:4242", "https://pay.example"])
      expect(await post(`${origin}/pay`, { origin }), origin).toEqual([303, "paid"]);
    const headers = { origin: "null", "sec-fetch-site": "same-origin" };
    expect(await post("https://pay.example.com/c", headers)).toEqual([303, "paid"]);
  });

  test.each([
    [{}],
    [{ origin: "null" }],
    [{ origin: "http://evil.example" }],
    [{ origin: "http://localhost:4243" }],
    [{ origin: "http://localhost:4242", "sec-fetch-site": "cross-site" }],
    [{ origin: "http://localhost:4242", "sec-fetch-site": "same-site" }],
    [{ origin: "http://localhost:4242", "sec-fetch-site": "none" }],
  ])("is refused from elsewhere, and nothing is submitted: %j", async (headers) => {
    expect(await post("http://localhost:4242/pay", headers)).toEqual([403, null]);
  });

  test.each(storages)("is answered whatever its hidden fields hold, on %s", async (_name, open) => {
    const limits = { checkout: null, payments: null };
    const shop = await createShop(await open(), { limits });
    const texts = ["\0", "x".repeat(256), " ", "-5", "0", "1e999", "9".repeat(40), "\ufffd"];
    for (const name of ["attempt", "version", "on_page", "outcome", "payment_method_id", "coupon"])
      for (const text of texts) {
        const made = await shop.session();
        const answer = await shop.storefront.checkoutPage.handler(
          new Request(made.body.data.checkout_url, {
            method: "POST",
            headers: { origin: new URL(made.body.data.checkout_url).origin },
            body: new URLSearchParams({
              ...{ action: "pay", name: "Ana", email: "ana@example.com" },
              payment_method_id: shop.a.method_id,
              [name]: text,
            }),
          }),
        );
        expect(answer.status, `${name}: ${JSON.stringify(text)}`).toBeLessThan(500);
      }
    expect(shop.errors).toEqual([]);
  });
});
