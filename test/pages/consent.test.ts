import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { pay, visit } from "../support/checkout-visit.ts";

/** A store with a monthly product, a method that is kept and one that is not. */
async function openShop() {
  const storage = memoryStorage();
  const shop = await openCheckoutShop({ storage });
  const { owner, store } = shop;
  const recurring = { interval: "month", interval_count: 1 } as const;
  const club = await owner.products.create(store.id, {
    name: "Clube do café",
    price: 4_900,
    currency: "BRL",
    recurring,
  });
  const method = (name: string, gateway: string) =>
    owner.paymentMethods.create(store.id, {
      type: "card",
      name,
      gateway,
      currencies: ["BRL"],
      supports_recurring: true,
    });
  const kept = await method("Cartão", "sandbox");
  const passing = await method("Pix", "bank");

  const items = [{ product_id: club.id, quantity: 1 }];
  const session = () => shop.session({ livemode: false, items });
  return { ...shop, storage, kept, passing, monthly: session };
}

const words =
  /Você autoriza Armazém Vitrine a cobrar automaticamente por este meio até você cancelar: R\$\s49,00 por mês/;

test("the page says beside each method that is kept what the buyer lets the store do", async () => {
  const shop = await openShop();
  const { url } = await shop.monthly();

  const { html, text } = await visit(shop, url);
  expect(text).toMatch(words);
  expect(text.match(/autoriza/g)).toHaveLength(1);
  expect(html).toMatch(new RegExp(`value="${shop.kept.id}"[^<]*>[^¶]*?autoriza`));
  const english = await visit(shop, url, { "accept-language": "en" });
  expect(english.text).toMatch(
    /You let Armazém Vitrine charge this method by itself until you cancel: R\$\s?49\.00 every month/,
  );
});

test("the words that the buyer saw are stored with the subscription, and it is charged by them", async () => {
  const shop = await openShop();
  const { url, token } = await shop.monthly();
  const paid = await pay(shop, url, { payment_method_id: shop.kept.id });
  expect(paid.status).toBe(303);

  const { order } = await shop.storefront.checkout.view(token);
  const where = { store_id: shop.store.id, livemode: false };
  const id = order?.subscription_id ?? "";
  const subscription = await shop.storefront.subscriptions.retrieve(id, where);
  expect(subscription.collection_method).toBe("charge_automatically");
  const record = await shop.storage.orders.find("subscription", where, id);
  expect(record?.renewal?.saved.consent.text).toMatch(words);
});

test("a single purchase asks for nothing", async () => {
  const shop = await openShop();
  const { url } = await shop.session();
  expect((await visit(shop, url)).text).not.toContain("autoriza");
});

describe("a trial", () => {
  async function openTrial() {
    const shop = await openShop();
    const { owner, store } = shop;
    const recurring = { interval: "month", interval_count: 1, trial_days: 14 } as const;
    const made = { name: "Clube", price: 2_990, currency: "BRL", recurring };
    const { id: product_id } = await owner.products.create(store.id, made);
    const items = [{ product_id, quantity: 1 }];
    return { ...shop, trial: () => shop.session({ livemode: false, items }) };
  }
  const free = /14 dias grátis, depois R\$\s29,90 por mês/;

  test("is said on the page, which asks for the methods that can be kept and for no coupon", async () => {
    const shop = await openTrial();
    const { url } = await shop.trial();
    const { html, text } = await visit(shop, url);
    expect(text).toMatch(free);
    expect(text).toContain("Começar o teste grátis");
    expect(html).toContain(`value="${shop.kept.id}"`);
    expect(html).not.toContain(shop.passing.id);
    expect(html).not.toContain('name="coupon"');
    const english = await visit(shop, url, { "accept-language": "en" });
    expect(english.text).toMatch(/14 days free, then R\$\s?29\.90 every month/);
    expect(english.text).toContain("Start the free trial");
  });

  test("begins with the method that was chosen, and the words are stored", async () => {
    const shop = await openTrial();
    const { url, token } = await shop.trial();
    const without = await pay(shop, url, { payment_method_id: "" });
    expect([without.status, without.text]).toEqual([422, expect.stringContaining("Escolha")]);
    expect((await pay(shop, url, { payment_method_id: shop.kept.id })).status).toBe(303);
    const { order } = await shop.storefront.checkout.view(token);
    const where = { store_id: shop.store.id, livemode: false };
    const id = order?.subscription_id ?? "";
    const record = await shop.storage.orders.find("subscription", where, id);
    expect(record).toMatchObject({ status: "trialing" });
    expect(record?.renewal?.saved.consent.text).toMatch(free);
  });

  test("that the buyer has had is refused by words, and the form stays", async () => {
    const shop = await openTrial();
    const first = await shop.trial();
    await pay(shop, first.url, { payment_method_id: shop.kept.id });
    const again = await shop.trial();
    const { status, text } = await pay(shop, again.url, { payment_method_id: shop.kept.id });
    expect(status).toBe(422);
    expect(text).toContain("Você já usou o teste grátis deste produto");
    expect(text).toContain("Começar o teste grátis");
  });
});

describe("Pix that is kept of known payers alone", () => {
  const pixWords =
    /Ao pagar este Pix, você autoriza no seu banco o Pix Automático de Armazém Vitrine, até você cancelar na loja ou no aplicativo do banco: R\$\s49,00 por mês/;

  async function openPix(store: object = {}) {
    const storage = memoryStorage();
    const shop = await openCheckoutShop({
      storage,
      store,
      keeps: ({ method }) => (method.type === "pix" ? "with_tax_id" : "never"),
    });
    const { owner, methods } = shop;
    for (const { id } of [methods.pix, methods.boleto, methods.card])
      await owner.paymentMethods.update(shop.store.id, id, { supports_recurring: true });
    const recurring = { interval: "month", interval_count: 1 } as const;
    const made = { name: "Clube", price: 4_900, currency: "BRL", recurring };
    const { id: product_id } = await owner.products.create(shop.store.id, made);
    const items = [{ product_id, quantity: 1 }];
    return { ...shop, storage, monthly: () => shop.session({ livemode: false, items }) };
  }

  test("has words of its own, in both languages, and no other method has any", async () => {
    const shop = await openPix();
    const { url } = await shop.monthly();
    const { text } = await visit(shop, url);
    expect(text).toMatch(pixWords);
    expect(text.match(/autoriza/g)).toHaveLength(1);
    const english = await visit(shop, url, { "accept-language": "en" });
    expect(english.text).toMatch(
      /With this Pix you authorize Pix Automático of Armazém Vitrine at your bank, until you cancel at the store or in the app of your bank: R\$\s?49\.00 every month/,
    );
  });

  test("demands the tax id, and says what for, though another method does not", async () => {
    const shop = await openPix();
    const { url } = await shop.monthly();
    expect((await visit(shop, url)).text).toContain("necessário para boleto e Pix Automático");
    const { pix, card } = shop.methods;
    const refused = await pay(shop, url, { payment_method_id: pix.id, tax_id: "" });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining("Sem ele seu banco não pode autorizar o Pix Automático."),
    ]);
    expect((await pay(shop, url, { payment_method_id: card.id, tax_id: "" })).status).toBe(303);
  });

  test("asks for the tax id in a store of any country", async () => {
    const shop = await openPix({ country: "US" });
    const { url } = await shop.monthly();
    expect((await visit(shop, url)).html).toContain('name="tax_id"');
    const single = await shop.session();
    expect((await visit(shop, single.url)).html).not.toContain('name="tax_id"');
  });

  test("is asked for with the words that the buyer saw", async () => {
    const shop = await openPix();
    const { url } = await shop.monthly();
    expect((await pay(shop, url, { payment_method_id: shop.methods.pix.id })).status).toBe(303);
    const range = { store_id: shop.store.id, livemode: false, limit: 10 };
    const [listed] = await shop.storage.lists.listAttempts(range);
    expect(listed?.attempt.consent).toMatch(pixWords);
  });
});
