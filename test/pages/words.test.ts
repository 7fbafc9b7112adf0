import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { brandTokens, contrast } from "../../src/contract/brand.ts";
import { grounds, tokens } from "../../src/contract/tokens.ts";
import { formOf, type Text } from "../../src/domain/plural.ts";
import { formatAmount } from "../../src/pages/texts/format.ts";
import { isTaxId } from "../../src/pages/texts/tax-id.ts";
import { type TextName, textValues } from "../../src/pages/texts/text-names.ts";
import { english } from "../../src/pages/texts/texts-en.ts";
import { portuguese } from "../../src/pages/texts/texts-pt.ts";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { pay, send, visit } from "../support/checkout-visit.ts";

describe("the language of the page", () => {
  const pageIn = async (accepted: string | null, checkoutPage = {}, locale = "pt-BR") => {
    const shop = await openCheckoutShop({ checkoutPage, store: { locale } });
    const headers = { "accept-language": accepted ?? "" };
    const { html, text } = await visit(shop, (await shop.session()).url, headers);
    const [, lang] = /<html lang="([^"]+)"/.exec(html) ?? [];
    const [, button] = /value="pay">([^<]+)</.exec(html) ?? [];
    return { lang, button: button?.replace(/\s/g, " "), text };
  };

  test.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt", "Pagar R$ 138,00"],
    ["en-US", "en", "Pay R$138.00"],
    ["fr-FR, en;q=0.5, pt;q=0.7", "pt", "Pagar R$ 138,00"],
    ["en;q=0, fr", "pt", "Pagar R$ 138,00"],
    ["", "pt", "Pagar R$ 138,00"],
    ["en-abcde-abcde, *;q=0.1", "en", "Pay R$138.00"],
    [";;;q=x,,".repeat(500), "pt", "Pagar R$ 138,00"],
  ])("is the buyer's, else the store's: %s", async (accepted, lang, button) => {
    expect(await pageIn(accepted)).toMatchObject({ lang, button });
  });

  test("is English for a store of a third language, until the host adds its texts", async () => {
    expect(await pageIn("fr", {}, "fr")).toMatchObject({ lang: "en" });
    const texts = { fr: { pay: "Payer {amount}" }, pt: { pay: "Pagar já {amount}" } };
    const french = await pageIn("fr-FR", { texts }, "fr");
    expect(french).toMatchObject({ lang: "fr", button: "Payer 138,00 R$" });
    expect(french.text).toContain("Payment method");
    const changed = await pageIn("pt", { texts });
    expect(changed).toMatchObject({ lang: "pt", button: "Pagar já R$ 138,00" });
    expect(changed.text).toContain("Forma de pagamento");
  });

  test("has the values of its table in the texts of both languages", () => {
    const valuesOf = (text: Text) => [
      ...new Set([...formOf(text).matchAll(/\{([a-z]+)\}/g)].map(([, value]) => value)),
    ];
    for (const [name, values] of Object.entries(textValues))
      for (const table of [english, portuguese])
        expect(valuesOf(table[name as TextName]).sort(), name).toEqual(
          values.split(" ").filter(Boolean).sort(),
        );
  });
});

test("amounts have the digits of their currency, and large ones are exact", () => {
  const plain = (amount: number, currency: string) =>
    formatAmount(amount, currency, "en").replace(/\s/g, " ");
  expect(plain(1, "BRL")).toBe("R$0.01");
  expect(plain(500, "JPY")).toBe("¥500");
  expect(plain(5, "KWD")).toBe("KWD 0.005");
  expect(plain(Number.MAX_SAFE_INTEGER, "USD")).toBe("$90,071,992,547,409.91");
});

test("a CPF or CNPJ is checked by its digits, with and without punctuation and with letters", () => {
  for (const right of ["529.982.247-25", "52998224725", "11.222.333/0001-81", "12ABC34501DE35"])
    expect(isTaxId(right), right).toBe(true);
  for (const wrong of ["529.982.247-26", "11111111111", "12.ABC.345/01DE-36", "1", ""])
    expect(isTaxId(wrong), wrong).toBe(false);
});

describe("fields", () => {
  test("each fault is told beside its field, with the mend, and the first one has the focus", async () => {
    const shop = await openCheckoutShop();
    const { url } = await shop.session();
    const fields = { name: " ", email: "ana@", tax_id: "123", payment_method_id: "" };
    const page = await send(shop, url, { action: "pay", ...fields });
    expect(page.status).toBe(422);
    for (const [field, mend] of [
      ["name", "Digite seu nome completo."],
      ["email", "Digite um e-mail completo, por exemplo ana@exemplo.com."],
      ["tax_id", "Confira o número: o CPF tem 11 dígitos e o CNPJ tem 14 caracteres."],
    ] as const) {
      expect(page.html).toContain(`<p class="error" id="${field}-error">${mend}</p>`);
      expect(page.html).toContain(`aria-describedby="${field}-error"`);
    }
    expect(page.html).toContain('<p class="error" id="method-error">Escolha como');
    expect(page.html.match(/autofocus/g)).toHaveLength(1);
    expect(page.html).toContain('value="123"');
  });

  test("a CPF or CNPJ of the right length is told that a digit is wrong, not how long it is", async () => {
    const shop = await openCheckoutShop();
    const { url } = await shop.session();
    for (const [tax_id, mend] of [
      ["529.982.247-26", "Este CPF não existe. Confira cada dígito."],
      ["111.111.111-11", "Este CPF não existe. Confira cada dígito."],
      ["11.222.333/0001-82", "Este CNPJ não existe. Confira cada dígito."],
      ["5299822472", "Confira o número: o CPF tem 11 dígitos e o CNPJ tem 14 caracteres."],
    ] as const) {
      const page = await pay(shop, url, { tax_id, payment_method_id: shop.methods.pix.id });
      expect(page.html).toContain(`<p class="error" id="tax_id-error">${mend}</p>`);
    }
  });

  test("a boleto needs a CPF or CNPJ; other methods and other countries do not", async () => {
    const shop = await openCheckoutShop();
    const { url } = await shop.session();
    const boleto = { payment_method_id: shop.methods.boleto.id, tax_id: "" };
    expect((await pay(shop, url, boleto)).text).toContain("Sem ele não é possível gerar o boleto");
    const pix = { payment_method_id: shop.methods.pix.id, tax_id: "" };
    expect((await pay(shop, url, pix)).status).toBe(303);

    const abroad = await openCheckoutShop({ store: { country: "PT" } });
    const page = await visit(abroad, (await abroad.session()).url);
    expect(page.html).not.toContain("tax_id");
    for (const hint of ['autocomplete="email"', 'autocomplete="name"', 'inputmode="email"'])
      expect(page.html).toContain(hint);
  });
});

describe("colours", () => {
  const colorsOf = (css: string, name: string) =>
    [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6})`, "g"))].map(([, color = ""]) => color);

  test("the tokens are readable on both grounds of both schemes", () => {
    for (const name of ["ink", "soft", "brand-ink", "good", "bad", "warn"]) {
      const [light = "", dark = ""] = colorsOf(tokens, name);
      for (const ground of grounds.light)
        expect(contrast(light, ground), name).toBeGreaterThan(4.5);
      for (const ground of grounds.dark) expect(contrast(dark, ground), name).toBeGreaterThan(4.5);
    }
    expect(colorsOf(tokens, "paper")).toEqual([grounds.light[0], grounds.dark[0]]);
    expect(colorsOf(tokens, "back")).toEqual([grounds.light[1], grounds.dark[1]]);
  });

  test("any brand colour can be read: on the button, as a link, as an edge", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const color = `#${number.toString(16).padStart(6, "0")}`;
        const css = brandTokens(color);
        const [onBrand = ""] = colorsOf(css, "on-brand");
        expect(contrast(onBrand, color)).toBeGreaterThanOrEqual(4.5);
        for (const [name, least] of [
          ["brand-ink", 4.5],
          ["brand-edge", 3],
        ] as const) {
          const [light = "", dark = ""] = colorsOf(css, name);
          for (const ground of grounds.light)
            expect(contrast(light, ground)).toBeGreaterThanOrEqual(least);
          for (const ground of grounds.dark)
            expect(contrast(dark, ground)).toBeGreaterThanOrEqual(least);
        }
      }),
    );
  });
});

test("a page with its style sheet and its script is at most 30 KB, gzipped", async () => {
  const shop = await openCheckoutShop({ checkoutPage: { brandColor: "#0f6b4f" } });
  const items = Array.from({ length: 20 }, () => ({
    product_id: shop.products.apron.id,
    quantity: 1,
  }));
  const { url } = await shop.session({ items });
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  const { html } = await visit(shop, url);
  const names = /(?:href|src)="([^"]+\.(?:css|js|svg))"/g;
  const files = [...html.matchAll(names)].map(([, file]) => file);
  expect(files).toHaveLength(3);

  let bytes = gzipSync(html).length;
  for (const file of files) {
    const address = new Request(shop.origin + file);
    const answer = await shop.storefront.checkoutPage.handler(address);
    bytes += gzipSync(await answer.text()).length;
  }
  expect(bytes).toBeLessThan(30_000);
});
