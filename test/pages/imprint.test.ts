import { expect, test } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { visit } from "../support/checkout-visit.ts";

const seller = () => ({
  legal_name: "Armazém Vitrine Comércio Ltda. <b>",
  tax_id: "11.222.333/0001-81",
  address: "Rua das Vitrines, 100\nSão Paulo, SP",
});

test("the page names who sells, who takes the payment, and the store's terms", async () => {
  const shop = await openCheckoutShop({ checkoutPage: { seller }, providerName: "Banco Exemplo" });
  const { url } = await shop.session();
  const page = await visit(shop, url);
  expect(page.text).toContain(
    "Vendido por Armazém Vitrine Comércio Ltda. &lt;b&gt; · 11.222.333/0001-81",
  );
  expect(page.text).toContain("Rua das Vitrines, 100, São Paulo, SP");
  expect(page.text).toContain("Pagamento por Banco Exemplo");
  expect(page.html).toContain('href="https://armazem.example/termos"');
  const english = await visit(shop, url, { "accept-language": "en" });
  expect(english.text).toContain("Sold by Armazém");
  expect(english.text).toContain("Payment by Banco Exemplo");
});

test("a seller that fails is reported, and costs no sale", async () => {
  const fails = () => {
    throw new Error("no seller");
  };
  const shop = await openCheckoutShop({ checkoutPage: { seller: fails } });
  const page = await visit(shop, (await shop.session()).url);
  expect([page.status, page.text.includes("Vendido por")]).toEqual([200, false]);
  expect(shop.errors).toHaveLength(1);
});

test("a seller that is no function fails at start-up", () => {
  const start = () =>
    createStorefront({
      storage: memoryStorage(),
      publicUrl: "https://api.example.com",
      checkoutPage: { seller: "Ltda." as never },
    });
  expect(start).toThrow(expect.objectContaining({ param: "checkoutPage.seller" }));
});
