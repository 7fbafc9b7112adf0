import { expect, test } from "vitest";
import { type CheckoutShop, openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer, pay, sendFields, visit } from "../support/checkout-visit.ts";
import { storages } from "../support/storages.ts";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

/** Gives the hidden fields of the page's only form. */
const hiddenOf = (html: string): [string, string][] =>
  [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
    ([, name = "", value = ""]) => [name, value],
  );

/** Presses the button of a page that offers to go on. */
const goOn = (shop: CheckoutShop, url: string, fields: readonly [string, string][]) =>
  sendFields(shop, url, new URLSearchParams([...fields, ["action", "go_on"]]));

/** Opens a session of a mug of which somebody else then buys the last, and of an apron. */
async function openLateSession(shop: CheckoutShop, { coupon }: { readonly coupon?: string } = {}) {
  const mug = await shop.product("Caneca <b>", 4_500, "last-mug", 1);
  const apron = await shop.product("Avental", 9_800, "apron");
  const items = [mug, apron].map(({ id }) => ({ product_id: id, quantity: 1 }));
  const late = await shop.session({ items, ...(coupon && { coupon }) });
  const first = await shop.session({ items: items.slice(0, 1) });
  await pay(shop, first.url, { payment_method_id: shop.methods.pix.id });
  return { ...late, mug, apron };
}

const submit = (shop: CheckoutShop, url: string, fields: Record<string, string> = {}) =>
  pay(shop, url, { payment_method_id: shop.methods.boleto.id, ...fields });

test.each(storages)(
  "a buyer goes on without what is sold out by one click, and pays the new total, on %s",
  async (_name, open) => {
    const shop = await openCheckoutShop({ storage: await open() });
    const { url, token, mug, apron } = await openLateSession(shop);

    const refused = await submit(shop, url);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("Continuar com o restante"),
    ]);
    expect(refused.html).toContain("Caneca &lt;b&gt;");
    expect(Object.fromEntries(hiddenOf(refused.html))).toMatchObject({ without: mug.id, ...buyer });

    const form = await goOn(shop, url, hiddenOf(refused.html));
    expect([form.status, plain(form.text)]).toEqual([
      200,
      expect.stringContaining("Seu pedido continua sem o que esgotou."),
    ]);
    expect(plain(form.text)).toContain("Pagar R$ 98,00");
    for (const value of Object.values(buyer)) expect(form.html).toContain(`value="${value}"`);
    expect(form.html).toMatch(new RegExp(`value="${shop.methods.boleto.id}"\\s*checked`));
    expect((await shop.storefront.checkout.view(token)).order).toBeNull();

    const again = await goOn(shop, url, hiddenOf(refused.html));
    expect([again.status, again.location]).toEqual([303, new URL(url).pathname]);

    await submit(shop, url);
    const { order } = await shop.storefront.checkout.view(token);
    expect(order?.items.map(({ product_id }) => product_id)).toEqual([apron.id]);
    expect(order?.amount_total).toBe(9_800);

    // A payment has begun: its goods stay.
    const late = await goOn(shop, url, [["without", apron.id]]);
    expect(late.status).toBe(303);
    const after = await shop.storefront.checkout.view(token);
    expect(after.session.line_items).toHaveLength(1);
    expect(shop.errors).toEqual([]);
  },
);

test("a coupon that the rest does not reach is taken off, and the page says so", async () => {
  const shop = await openCheckoutShop();
  const { owner, store } = shop;
  const percent = { discount_type: "percentage", discount_amount: 10 } as const;
  await owner.coupons.create(store.id, { code: "CEM", min_subtotal: 10_000, ...percent });
  const { url } = await openLateSession(shop, { coupon: "CEM" });

  const refused = await submit(shop, url);
  const form = await goOn(shop, url, hiddenOf(refused.html));
  expect(plain(form.text)).toContain("O cupom não vale para o restante.");
  expect(plain(form.text)).toContain("Pagar R$ 98,00");
});

test("a coupon that still applies is kept", async () => {
  const shop = await openCheckoutShop();
  const { url } = await openLateSession(shop, { coupon: "BEMVINDO" });

  const refused = await submit(shop, url);
  const form = await goOn(shop, url, hiddenOf(refused.html));
  expect(plain(form.text)).toContain("Pagar R$ 88,20");
});

test("nobody goes on without anything, nor without what the session has not", async () => {
  const shop = await openCheckoutShop();
  const { url, token, mug, apron } = await openLateSession(shop);
  const { session } = await shop.storefront.checkout.view(token);

  // Somebody takes the last apron too.
  await shop.owner.products.update(shop.store.id, apron.id, { stock: 0 });
  const both = [mug, apron].map(({ id }): [string, string] => ["without", id]);
  const sent = await goOn(shop, url, both);
  const answers = await Promise.all(
    ["prod_none", "", "__proto__"].map((id) => goOn(shop, url, [["without", id]])),
  );
  expect([sent.status, ...answers.map(({ status }) => status)]).toEqual([303, 303, 303, 303]);
  expect((await shop.storefront.checkout.view(token)).session).toEqual(session);
});

test("a product that is there stays, whatever a form names", async () => {
  const shop = await openCheckoutShop();
  const { url, token, mug, apron } = await openLateSession(shop);
  const idsOf = async () =>
    (await shop.storefront.checkout.view(token)).session.line_items.map((line) => line.product_id);

  expect((await goOn(shop, url, [["without", apron.id]])).status).toBe(303);
  expect(await idsOf()).toEqual([mug.id, apron.id]);

  const both = [mug, apron].map(({ id }): [string, string] => ["without", id]);
  expect((await goOn(shop, url, both)).status).toBe(200);
  expect(await idsOf()).toEqual([apron.id]);
});

test("two sold out products are left out, also behind a form parser of the host", async () => {
  const shop = await openCheckoutShop();
  const gone = await Promise.all(
    ["Caneca", "Prato"].map((name) => shop.product(name, 4_500, "last", 1)),
  );
  const apron = await shop.product("Avental", 9_800, "apron");
  const itemOf = ({ id }: { readonly id: string }) => ({ product_id: id, quantity: 1 });
  const late = await shop.session({ items: [...gone, apron].map(itemOf) });
  const first = await shop.session({ items: gone.map(itemOf) });
  await pay(shop, first.url, { payment_method_id: shop.methods.pix.id });

  const parsed = { action: "go_on", without: gone.map(({ id }) => id), nested: [["x"], {}], n: 1 };
  const reply = await shop.storefront.checkoutPage.serve({
    method: "POST",
    target: new URL(late.url).pathname,
    header: (name) => (name === "sec-fetch-site" ? "same-origin" : undefined),
    body: async () => ({ parsed }),
  });
  expect(reply?.status).toBe(200);
  const { session } = await shop.storefront.checkout.view(late.token);
  expect(session.line_items.map((line) => line.product_id)).toEqual([apron.id]);
});

test("a session whose only product is sold out offers the way back alone", async () => {
  const shop = await openCheckoutShop();
  const mug = await shop.product("Caneca", 4_500, "last-mug", 1);
  const items = [{ product_id: mug.id, quantity: 1 }];
  const late = await shop.session({ items });
  const first = await shop.session({ items });
  await pay(shop, first.url, { payment_method_id: shop.methods.pix.id });

  const refused = await submit(shop, late.url);
  expect(refused.status).toBe(409);
  expect(refused.html).not.toContain("go_on");
});

test("what sells out while the buyer goes on is named by the same page", async () => {
  const shop = await openCheckoutShop();
  const cup = await shop.product("Xícara", 1_000, "last-cup", 1);
  const mug = await shop.product("Caneca", 4_500, "last-mug", 1);
  const apron = await shop.product("Avental", 9_800, "apron");
  const itemOf = ({ id }: { readonly id: string }) => ({ product_id: id, quantity: 1 });
  const late = await shop.session({ items: [mug, cup, apron].map(itemOf) });
  const buy = async (item: { readonly id: string }) => {
    const { url } = await shop.session({ items: [itemOf(item)] });
    await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  };

  await buy(mug);
  const first = await submit(shop, late.url);
  await buy(cup);
  const second = await goOn(shop, late.url, hiddenOf(first.html));
  expect([second.status, second.text]).toEqual([
    409,
    expect.stringContaining("Caneca e Xícara: não há mais estoque"),
  ]);

  const form = await goOn(shop, late.url, hiddenOf(second.html));
  expect([form.status, plain(form.text)]).toEqual([200, expect.stringContaining("Pagar R$ 98,00")]);
  expect((await visit(shop, late.url)).status).toBe(200);
});
