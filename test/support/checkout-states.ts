import type { Page } from "playwright-core";
import type { CheckoutShop } from "./checkout-shop.ts";

type Reach = (shop: CheckoutShop, page: Page) => Promise<void>;

type Session = Awaited<ReturnType<CheckoutShop["session"]>>;

const ana = { name: "Ana Souza", email: "ana@example.com" };

/** Begins a payment without the page. */
async function begin(
  shop: CheckoutShop,
  type: keyof CheckoutShop["methods"],
  session?: Session,
): Promise<Session> {
  const made = session ?? (await shop.session());
  const payment_method_id = shop.methods[type].id;
  await shop.storefront.checkout.submit(made.token, { payment_method_id, customer: ana });
  return made;
}

/** Fills in the form and sends it. */
async function fillIn(page: Page, values: Record<string, string>, method?: string): Promise<void> {
  for (const [field, value] of Object.entries(values)) await page.locator(`#${field}`).fill(value);
  if (method !== undefined) await page.getByLabel(method).check();
  await page.locator("button.primary[value=pay]").click();
}

const showing =
  (make: (shop: CheckoutShop) => Promise<Session>): Reach =>
  async (shop, page) =>
    void (await page.goto((await make(shop)).url));

/** How a browser comes to each state of the page. Run them in this order on one shop. */
export const checkoutStates: Readonly<Record<string, Reach>> = {
  form: showing((shop) => shop.session({ coupon: "BEMVINDO" })),
  test_form: showing((shop) => shop.session({ livemode: false })),

  async faults(shop, page) {
    await page.goto((await shop.session()).url);
    await fillIn(page, { email: "ana@", tax_id: "123.456.789-00" });
    await page.locator("#email-error").waitFor();
  },

  async declined(shop, page) {
    const refused = await shop.method("crypto", "Criptomoeda");
    await page.goto((await shop.session()).url);
    await fillIn(page, ana, "Criptomoeda");
    await page.locator(".notice").waitFor();
    await shop.owner.paymentMethods.delete(shop.store.id, refused.id);
  },

  qr_code: showing((shop) => begin(shop, "pix")),
  voucher: showing((shop) => begin(shop, "boleto")),
  redirect: showing((shop) => begin(shop, "card")),

  async change(shop, page) {
    await page.goto(`${(await begin(shop, "pix")).url}?change`);
  },

  async client_secret(shop, page) {
    const { id } = await shop.method("wallet", "Carteira");
    const { token, url } = await shop.session();
    await shop.storefront.checkout.submit(token, { payment_method_id: id, customer: ana });
    await page.goto(url);
    await shop.owner.paymentMethods.delete(shop.store.id, id);
  },

  async pending(shop, page) {
    const { id } = await shop.method("other", "Conta");
    const { token, url } = await shop.session();
    await shop.storefront.checkout.submit(token, { payment_method_id: id, customer: ana });
    await page.goto(url);
    await shop.owner.paymentMethods.delete(shop.store.id, id);
  },

  async paid(shop, page) {
    const { token, url } = await begin(shop, "pix");
    await shop.tell(token, "succeeded");
    await shop.storefront.checkout.resume(token);
    await page.goto(url);
  },

  async sold_out(shop, page) {
    const last = await shop.product("Caneca esmaltada", 4_500, "enamel-cups", 1);
    const items = [{ product_id: last.id, quantity: 1 }];
    const apron = { product_id: shop.products.apron.id, quantity: 1 };
    const late = await shop.session({ items: [...items, apron] });
    await begin(shop, "pix", await shop.session({ items }));
    await page.goto(late.url);
    await fillIn(page, ana, "Pix");
    await page.locator(".sign.bad").waitFor();
  },

  async expired(shop, page) {
    const { id, url } = await shop.session();
    const partition = { store_id: shop.store.id, livemode: true };
    await shop.storefront.checkout.expire(id, partition);
    await page.goto(url);
  },

  async no_methods(shop, page) {
    const dear = await shop.product("Forno", 5_000_000, "oven");
    for (const { id } of Object.values(shop.methods))
      await shop.owner.paymentMethods.update(shop.store.id, id, { max_amount: 1_000_000 });
    const { url } = await shop.session({ items: [{ product_id: dear.id, quantity: 1 }] });
    await page.goto(url);
  },

  async not_found(shop, page) {
    await page.goto(`${shop.origin}/pay/none`);
  },

  async qr_expired(shop, page) {
    shop.behaviour.codeLivesMs = 60_000;
    const { url } = await begin(shop, "pix");
    shop.advance(120_000);
    await page.goto(url);
  },
};
