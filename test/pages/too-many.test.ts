import { expect, test } from "vitest";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer, pay, visit } from "../support/checkout-visit.ts";

/** A store with a method whose payments the provider refuses at once. */
async function openShop() {
  const shop = await openCheckoutShop();
  const { id } = await shop.method("crypto", "Cripto");
  const urlOfNew = async (): Promise<string> => (await shop.session()).url;
  return { ...shop, refused: id, urlOfNew };
}
type RefusingShop = Awaited<ReturnType<typeof openShop>>;

/** Sends the form from an address, in a language. */
async function payFrom(shop: RefusingShop, url: string, ip: string, language = "pt-BR") {
  const { html } = await visit(shop, `${url}?change`);
  const [, attempt = ""] = /name="attempt" value="([^"]+)"/.exec(html) ?? [];
  const payment_method_id = shop.refused;
  const request = new Request(url, {
    method: "POST",
    headers: {
      "accept-language": language,
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
    },
    body: new URLSearchParams({ action: "pay", attempt, ...buyer, payment_method_id }),
  });
  const answer = await shop.storefront.checkoutPage.handler(request, { ip });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test("after ten refused cards the page leads back to the store, in both languages", async () => {
  const shop = await openShop();
  const url = await shop.urlOfNew();
  for (let times = 0; times < 10; times += 1)
    expect((await pay(shop, url, { payment_method_id: shop.refused })).text).toContain("recusado");

  const ended = await payFrom(shop, url, "203.0.113.1");
  expect(ended.status).toBe(409);
  expect(ended.text).toContain("Muitos pagamentos recusados");
  expect(ended.text).not.toContain('name="attempt"');
  expect((await payFrom(shop, url, "203.0.113.1", "en")).text).toContain(
    "Too many payments have failed",
  );
});

test("the thirty-first payment of an address in a minute keeps the form and says when to go on", async () => {
  const shop = await openShop();
  const urls = await Promise.all([
    shop.urlOfNew(),
    shop.urlOfNew(),
    shop.urlOfNew(),
    shop.urlOfNew(),
  ]);
  const [first = "", second = "", third = "", last = ""] = urls;
  for (const url of [first, second, third])
    for (let times = 0; times < 10; times += 1)
      expect((await payFrom(shop, url, "203.0.113.9")).status).toBe(200);

  const refused = await payFrom(shop, last, "203.0.113.9");
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([
    429,
    expect.closeTo(60, -1),
  ]);
  expect(refused.text).toContain("Espere um minuto e pague de novo");
  expect(refused.text).toContain(buyer.email);
  expect((await payFrom(shop, last, "203.0.113.9", "en")).text).toContain("Wait a minute");
  expect((await payFrom(shop, last, "203.0.113.10")).status).toBe(200);
});
