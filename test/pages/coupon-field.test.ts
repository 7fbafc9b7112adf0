import { expect, test } from "vitest";
import { type CheckoutShop, openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer, pay, send, visit } from "../support/checkout-visit.ts";
import { storages } from "../support/storages.ts";

const coupons = { checkoutPage: { coupons: true } };
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

/** Sends a form of the page with what stands in its fields. */
const sendForm = (shop: CheckoutShop, url: string, fields: Record<string, string>) =>
  send(shop, url, { ...buyer, payment_method_id: shop.methods.boleto.id, ...fields });

test.each(storages)(
  "a coupon is applied, removed and paid with, by the server's total, on %s",
  async (_name, open) => {
    const shop = await openCheckoutShop({ storage: await open(), ...coupons });
    const { url, token } = await shop.session();
    expect((await visit(shop, url)).text).toContain("Cupom (opcional)");

    const applied = await sendForm(shop, url, { action: "coupon", coupon: " bemvindo " });
    expect([applied.status, plain(applied.text)]).toEqual([200, expect.any(String)]);
    for (const part of ["O cupom foi aplicado", "Desconto BEMVINDO", "Pagar R$ 124,20"])
      expect(plain(applied.text)).toContain(part);
    for (const value of Object.values(buyer)) expect(applied.html).toContain(`value="${value}"`);
    expect(applied.html).toMatch(new RegExp(`value="${shop.methods.boleto.id}"\\s*checked`));
    expect(applied.html).not.toContain('id="coupon"');

    const removed = await sendForm(shop, url, { action: "coupon_remove" });
    expect(plain(removed.text)).toContain("O cupom foi removido");
    expect(plain(removed.text)).toContain("Pagar R$ 138,00");

    // Enter, or a coupon that was not applied: nobody pays another total than they have seen.
    const typed = await sendForm(shop, url, { action: "pay", coupon: "BEMVINDO" });
    expect([typed.status, plain(typed.text)]).toEqual([200, expect.stringContaining("R$ 124,20")]);
    expect((await shop.storefront.checkout.view(token)).order).toBeNull();

    const [, version = ""] = /name="version" value="(\d+)"/.exec(typed.html) ?? [];
    const stale = await sendForm(shop, url, { action: "pay", version: "1" });
    expect(stale.status).toBe(422);
    await sendForm(shop, url, { action: "pay", version });
    const { order } = await shop.storefront.checkout.view(token);
    expect([order?.amount_total, order?.coupon_code]).toEqual([12_420, "BEMVINDO"]);

    // A payment has begun: its amounts stay.
    expect((await visit(shop, `${url}?change`)).html).not.toContain("coupon_remove");
    const late = await sendForm(shop, url, { action: "coupon_remove" });
    expect(late.status).toBe(303);
    expect((await shop.storefront.checkout.view(token)).session.amount_total).toBe(12_420);
    expect(shop.errors).toEqual([]);
  },
);

test.each(storages)("a text that no code can be is no coupon, on %s", async (_name, open) => {
  const shop = await openCheckoutShop({ storage: await open(), ...coupons });
  const { url } = await shop.session();
  for (const action of ["coupon", "pay"])
    for (const coupon of ["\u0000", "BEM\u0000VINDO"]) {
      const answer = await sendForm(shop, url, { action, coupon });
      expect([answer.status, answer.text]).toEqual([
        422,
        expect.stringContaining("Este cupom não existe"),
      ]);
    }
  expect(shop.errors).toEqual([]);
});

test("a coupon that does not apply says why, beside its field, and changes nothing", async () => {
  const shop = await openCheckoutShop(coupons);
  const { owner, store, products } = shop;
  const percent = { discount_type: "percentage", discount_amount: 10 } as const;
  const create = (code: string, fields: object) =>
    owner.coupons.create(store.id, { code, ...percent, ...fields });
  await create("CEDO", { starts_at: new Date(Date.now() + 86_400_000).toISOString() });
  await create("TARDE", { ends_at: new Date(Date.now() + 1_000).toISOString() });
  await create("CARO", { min_subtotal: 20_000 });
  const other = await shop.product("Bule", 1_000, "pot");
  await create("BULE", { product_ids: [other.id] });
  const off = await create("FORA", {});
  await owner.coupons.update(store.id, off.id, { enabled: false });
  await create("UMA", { max_uses: 1 });
  const first = await shop.session({ coupon: "UMA" });
  await pay(shop, first.url, { payment_method_id: shop.methods.pix.id });
  shop.advance(2_000);

  const { url, token } = await shop.session();
  for (const [code, reason] of [
    ["NADA", "Este cupom não existe. Confira cada letra e número."],
    ["FORA", "Este cupom não existe."],
    ["CEDO", "Este cupom ainda não pode ser usado."],
    ["TARDE", "Este cupom já terminou."],
    ["UMA", "Este cupom já foi usado o número máximo de vezes."],
    ["BULE", "Este cupom não vale para estes produtos."],
    ["CARO", "Este cupom vale para compras a partir de R$ 200,00."],
    ["<b>", "Este cupom não existe."],
  ] as const) {
    const refused = await sendForm(shop, url, { action: "coupon", coupon: code });
    expect([code, refused.status]).toEqual([code, 422]);
    expect(plain(refused.html)).toContain(`id="coupon-error">${reason}`);
    expect(refused.html).toContain(`value="${code.replace("<b>", "&lt;b&gt;")}"`);
    expect(refused.html).toContain(`value="${buyer.tax_id}"`);
  }
  const { session } = await shop.storefront.checkout.view(token);
  expect([session.amount_total, session.version]).toEqual([13_800, 1]);

  // Goods that cost enough take it, by the prices of the server.
  const items = [{ product_id: products.apron.id, quantity: 3 }];
  const large = await shop.session({ items });
  const applied = await sendForm(shop, large.url, { action: "coupon", coupon: "caro" });
  expect(plain(applied.text)).toContain("Pagar R$ 264,60");
  const english = await visit(shop, url, { "accept-language": "en" });
  expect(english.text).toContain("Coupon (optional)");
});

test("the field is off unless the store wants it, and then no form of it does anything", async () => {
  const off = await openCheckoutShop();
  const closed = await off.session();
  expect((await visit(off, closed.url)).html).not.toContain('name="coupon"');
  const sent = await sendForm(off, closed.url, { action: "coupon", coupon: "BEMVINDO" });
  expect(sent.status).toBe(303);
  expect((await off.storefront.checkout.view(closed.token)).session.coupon_code).toBeNull();

  const asked: string[] = [];
  const shop = await openCheckoutShop({
    checkoutPage: {
      coupons({ name }) {
        asked.push(name);
        if (asked.length > 1) throw new Error("down");
        return true;
      },
    },
  });
  const { url } = await shop.session();
  expect((await visit(shop, url)).html).toContain('name="coupon"');
  const second = await visit(shop, url);
  expect([second.status, second.html.includes('name="coupon"')]).toEqual([200, false]);
  expect(shop.errors.map(String)).toEqual(["Error: down"]);
});

test("the payment of a period has no field, because its amount stays", async () => {
  const shop = await openCheckoutShop(coupons);
  const { owner, store, storefront, methods } = shop;
  await owner.paymentMethods.update(store.id, methods.pix.id, { supports_recurring: true });
  const recurring = { interval: "month", interval_count: 1 } as const;
  const box = { name: "Caixa", price: 5_000, currency: "BRL", recurring };
  const { id: product_id } = await owner.products.create(store.id, box);
  const first = await shop.session({ items: [{ product_id, quantity: 1 }] });
  expect((await visit(shop, first.url)).html).toContain('name="coupon"');

  const where = { store_id: store.id, livemode: true };
  const money = { status: "paid", reference: "m_1", amount: 5_000, currency: "BRL" } as const;
  const order = await storefront.checkout.complete(first.id, { ...where, ...money });
  const success_url = "https://shop.example.com/";
  const link = { ...where, success_url };
  const { url } = await storefront.subscriptions.payLink(order.subscription_id ?? "", link);
  expect((await visit(shop, url)).html).not.toContain('name="coupon"');
  const fields = { action: "pay", coupon: "BEMVINDO", payment_method_id: methods.pix.id };
  await sendForm(shop, url, fields);
  const { order: period } = await storefront.checkout.view(url.split("/").at(-1) ?? "");
  expect([period?.status, period?.amount_total]).toEqual(["pending", 5_000]);
  expect(shop.errors).toEqual([]);
});

test("a coupon of all the money leaves nothing to pay", async () => {
  const shop = await openCheckoutShop(coupons);
  const gift = { code: "BRINDE", discount_type: "percentage", discount_amount: 100 } as const;
  await shop.owner.coupons.create(shop.store.id, gift);
  const { url, token } = await shop.session();
  const applied = await sendForm(shop, url, { action: "coupon", coupon: "BRINDE" });
  expect(applied.text).toContain("Confirmar");
  expect(applied.html).not.toContain('name="payment_method_id"');
  const sent = await sendForm(shop, url, { action: "pay", version: "2" });
  expect(sent.status).toBe(303);
  expect((await shop.storefront.checkout.view(token)).order?.status).toBe("paid");
});

test("who tries codes too often waits, and coupons of two forms at once do not add up", async () => {
  const shop = await openCheckoutShop({
    ...coupons,
    limits: { coupons: { limit: 5, window_ms: 60_000 } },
  });
  const { url, token } = await shop.session();
  await shop.owner.coupons.create(shop.store.id, {
    code: "OUTRO",
    discount_type: "percentage",
    discount_amount: 20,
  });
  await Promise.all(
    ["BEMVINDO", "OUTRO"].map((coupon) => sendForm(shop, url, { action: "coupon", coupon })),
  );
  const { session } = await shop.storefront.checkout.view(token);
  expect([12_420, 11_040]).toContain(session.amount_total);

  let last = await sendForm(shop, url, { action: "coupon", coupon: "NADA" });
  for (let tries = 0; tries < 3; tries += 1)
    last = await sendForm(shop, url, { action: "coupon", coupon: "NADA" });
  expect([last.status, last.headers.get("retry-after")]).toEqual([429, expect.any(String)]);
});
