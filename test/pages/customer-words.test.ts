import { describe, expect, test } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions } from "vitrine";
import { formOf, type Text } from "../../src/domain/plural.ts";
import {
  type CustomerTextName,
  customerTextValues,
} from "../../src/pages/customer/texts/text-names.ts";
import { english } from "../../src/pages/customer/texts/texts-en.ts";
import { portuguese } from "../../src/pages/customer/texts/texts-pt.ts";
import { customerBrowser } from "../support/customer-visit.ts";
import { createShop } from "../support/shop.ts";

type CustomerPage = NonNullable<StorefrontOptions["customerPage"]>;

const baseUrl = "https://pay.example.com/account";

describe("a host's own texts of the customer page", () => {
  /** Shows the link's page and the purchases to a buyer who reads a language. */
  const read = async (texts: CustomerPage["texts"], language: string) => {
    const shop = await createShop(memoryStorage(), { customerPage: { baseUrl, texts } });
    const customer = { id: "u_ana", name: "Ana", email: "ana@example.com" };
    await shop.buy({}, {}, { customer });
    const of = { store_id: shop.a.id, livemode: false, customer_id: customer.id };
    const browser = customerBrowser(shop.storefront, baseUrl, language);
    const { url } = await shop.owner.customers.pageLink(of);
    const asked = await browser.get(url);
    await browser.post(url, {});
    const home = await browser.get();
    const lost = await browser.get("/orders/none");
    const [, lang] = /<html lang="([^"]+)"/.exec(home.html) ?? [];
    return { lang, asked: asked.text, home: home.text, lost: lost.text };
  };

  test("are laid over the page's own, on each page of it", async () => {
    const texts = {
      pt: { title: "Minha conta", enter: "Entrar" },
      es: { title: "Mis compras", enter_title: "Compras en {store}", not_found_title: "No existe" },
    };
    const portuguesePage = await read(texts, "pt-BR");
    expect(portuguesePage.asked).toContain("Entrar");
    expect(portuguesePage.home).toContain("Minha conta");
    expect(portuguesePage.home).toContain("Pedidos");

    const spanishPage = await read(texts, "es-MX");
    expect(spanishPage.lang).toBe("es");
    expect(spanishPage.asked).toContain("Compras en Store A");
    expect(spanishPage.home).toContain("Mis compras");
    expect(spanishPage.home).toContain("Orders");
    expect(spanishPage.lost).toContain("No existe");
    expect((await read(undefined, "es")).lang).toBe("en");
  });

  test("are escaped", async () => {
    const { home } = await read({ en: { orders: "<b>Orders</b>" } }, "en");
    expect(home).toContain("&lt;b&gt;Orders");
  });

  test.each([
    [{ "pt-BR_x": {} }, /customerPage\.texts\.pt-BR_x must be named by a language tag/],
    [{ pt: "Conta" }, /customerPage\.texts\.pt must be an object with texts by their names/],
    [{ pt: { titel: "x" } }, /pt\.titel is no text of the page: did you mean title, or see docs/],
    [{ pt: { toString: "x" } }, /pt\.toString is no text of the page: see docs\/customer-page\.md/],
    [{ pt: { title: 1 } }, /customerPage\.texts\.pt\.title must be a text, or an object/],
    [{ pt: { title: "Loja {store}" } }, /pt\.title can hold no value: take \{store\} out/],
    [{ pt: { trial_then: "{Day} {amount}" } }, /can hold \{day\}, \{amount\} and no other value/],
    [
      { pt: { downloads_used: { one: "{n}", other: "" } } },
      /can hold \{count\}, \{limit\} and no o/,
    ],
    [null, /customerPage\.texts must be an object with texts by language/],
  ])("%j fail at start-up and say how to mend them", (texts, message) => {
    const customerPage = { baseUrl, texts } as unknown as CustomerPage;
    const start = () => createStorefront({ storage: memoryStorage(), customerPage });
    expect(start).toThrow(message);
  });
});

test("the texts of both languages have the values of their table", () => {
  const valuesOf = (text: Text) =>
    [...formOf(text).matchAll(/\{([a-z]+)\}/g)].map(([, one]) => one);
  for (const [name, values] of Object.entries(customerTextValues))
    for (const table of [english, portuguese])
      expect(valuesOf(table[name as CustomerTextName]).sort(), name).toEqual(
        values.split(" ").filter(Boolean).sort(),
      );
});
