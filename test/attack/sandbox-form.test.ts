import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

describe("the sandbox page's form", () => {
  const post = async (checkout: string, headers: Record<string, string>) => {
    const shop = await createShop(memoryStorage(), { checkout: { baseUrl: checkout } });
    const address = (await shop.session()).body.data.checkout_url;
    const answer = await shop.storefront.sandboxPage.handler(
      new Request(address, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ action: "succeed", payment_method_id: shop.a.method_id }),
      }),
    );
    return answer.status;
  };

  test("works on plain http, where browsers send `Origin: null` by its own no-referrer", async () => {
    for (const base of ["http://localhost:4242/pay", "http://127.0.0.1:4242/pay"])
      expect(await post(base, { origin: "null" }), base).toBe(303);
  });

  test("takes no other origin, and no `null` on https or from a browser that says cross-site", async () => {
    const local = "http://localhost:4242/pay";
    expect(await post(local, { origin: "http://evil.example" })).toBe(403);
    expect(await post(local, {})).toBe(403);
    expect(await post(local, { origin: "null", "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await post(local, { origin: "null", "sec-fetch-site": "none" })).toBe(403);
    expect(await post("https://pay.example.com/c", { origin: "null" })).toBe(403);
    expect(await post("https://pay.example.com/c", { origin: "https://pay.example.com" })).toBe(
      303,
    );
  });
});
