import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { pay, send, visit } from "../support/checkout-visit.ts";
import { storages } from "../support/storages.ts";

const english = { "accept-language": "en-US" };

test.each(storages)(
  "who has paid sees the number, the goods and what happens next, on %s",
  async (_name, open) => {
    const whatNext = {
      pt: "Enviamos em dois dias <úteis>.\nO código chega por e-mail.",
      en: "We ship within two days.",
    };
    const checkoutPage = { endPage: true, whatNext };
    const shop = await openCheckoutShop({ storage: await open(), checkoutPage });
    const { url, token, id } = await shop.session({ coupon: "BEMVINDO" });
    expect((await visit(shop, url)).text).not.toContain("O que acontece agora");
    await pay(shop, url, { payment_method_id: shop.methods.pix.id });
    await shop.tell(token, "succeeded");

    // The page is the end: only its button leads to the store.
    const checked = await send(shop, url, { action: "check" });
    expect([checked.status, checked.location]).toEqual([303, new URL(url).pathname]);
    const { status, text, html } = await visit(shop, `${url}?return`);
    expect(status).toBe(200);
    for (const part of ["Pagamento recebido", "Pedido 1", "Pago em", "Desconto BEMVINDO"])
      expect(text).toContain(part);
    expect(html).toMatch(/<details class="lines" open>/);
    expect(text).toContain("2 × Café da Montanha, 500 g");
    expect(html).toContain('<p lang="pt">Enviamos em dois dias &lt;úteis&gt;.\nO código');
    expect(html).toContain(`href="${shop.origin}/thanks?session=${id}"`);
    expect(html).not.toContain("<script");

    const page = await visit(shop, url, english);
    expect(page.text).toContain("What happens next We ship within two days.");
    expect(page.text).toMatch(/Paid on .* Order 1|Order 1 .*Paid on/);
  },
);

test("the store's words come in the reader's language, else the store's, else the first", async () => {
  const paidPage = async (whatNext: Readonly<Record<string, string>>, accepted: string) => {
    const shop = await openCheckoutShop({ checkoutPage: { whatNext } });
    const { url, token } = await shop.session();
    await pay(shop, url, { payment_method_id: shop.methods.pix.id });
    await shop.tell(token, "succeeded");
    await send(shop, url, { action: "check" });
    return (await visit(shop, url, { "accept-language": accepted })).html;
  };
  const nextOf = async (...args: Parameters<typeof paidPage>) =>
    /<p lang="([^"]*)">([^<]*)</.exec(await paidPage(...args))?.slice(1);
  const texts = { "pt-BR": "Logo", en: "Soon", es: "Pronto" };
  expect(await nextOf(texts, "en")).toEqual(["en", "Soon"]);
  expect(await nextOf({ "pt-BR": "Logo", es: "Pronto" }, "en")).toEqual(["pt-br", "Logo"]);
  expect(await nextOf({ es: "Pronto" }, "en")).toEqual(["es", "Pronto"]);
  expect(await nextOf({}, "en")).toBeUndefined();
});

test("a function writes for each store, and one that fails costs no page", async () => {
  let give = (store: { readonly name: string }, language: string): unknown =>
    `${store.name} (${language})`;
  const whatNext = (store: { readonly name: string }, language: string) =>
    give(store, language) as string;
  const shop = await openCheckoutShop({ checkoutPage: { whatNext } });
  const { url, token } = await shop.session();
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  await shop.tell(token, "succeeded");
  await send(shop, url, { action: "check" });
  expect((await visit(shop, url)).text).toContain("Armazém Vitrine (pt)");

  for (const wrong of [
    () => 7,
    () => {
      throw new Error("no words");
    },
  ]) {
    give = wrong;
    const { status, text } = await visit(shop, url);
    expect([status, text.includes("O que acontece agora")]).toEqual([200, false]);
  }
  expect(shop.errors.map(String)).toEqual([
    "Error: checkoutPage.whatNext must give a text, or null.",
    "Error: no words",
  ]);
});

test("the page of a paid order of 100 lines is at most 30 KB with its style sheet, gzipped", async () => {
  const whatNext = { pt: "Enviamos em dois dias úteis.".padEnd(2_000, " Obrigado!") };
  const shop = await openCheckoutShop({ checkoutPage: { whatNext } });
  const items = Array.from({ length: 100 }, () => ({
    product_id: shop.products.coffee.id,
    quantity: 1,
  }));
  const { url, token } = await shop.session({ items });
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  await shop.tell(token, "succeeded");
  await send(shop, url, { action: "check" });
  const { html } = await visit(shop, url);
  const [style = ""] = /[^"]+\.css/.exec(html) ?? [];
  const sheet = await shop.storefront.checkoutPage.handler(new Request(shop.origin + style));
  expect(html.match(/<li>/g)?.length).toBeGreaterThanOrEqual(100);
  expect(gzipSync(html).length + gzipSync(await sheet.text()).length).toBeLessThan(30_000);
});
