import { beforeEach, describe, expect, test } from "vitest";
import { customerBrowser } from "../support/customer-visit.ts";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const baseUrl = "https://shop.example.org/account";
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const ana = { id: "u_ana", name: "Ana Sá", email: "ana@example.com" };
/** The checkout page has an origin of its own here. */
const fromCheckout = { "sec-fetch-site": "cross-site", origin: "https://pay.example.com" };
const minute = 60_000;

describe.each(storages)(
  "the way from the end of the checkout to the order, on %s",
  (_name, open) => {
    let shop: Shop;
    beforeEach(async () => {
      shop = await createShop(await open(), {
        limits: { checkout: null },
        customerPage: { baseUrl },
      });
    });

    const where = () => ({ store_id: shop.a.id, livemode: false });
    const page = async (url: string): Promise<string> =>
      (await shop.storefront.checkoutPage.handler(new Request(url))).text();
    const purchase = async (body: Record<string, unknown> = {}, submit: object = {}) => {
      const made = await shop.session(body);
      const url: string = made.body.data.checkout_url;
      const token = shop.tokenOf(made);
      const pay = () =>
        shop.storefront.checkout.submit(token, { payment_method_id: shop.a.method_id, ...submit });
      return { url, token, pay };
    };
    const click = (token: string, headers: HeadersInit = fromCheckout) => {
      const browser = customerBrowser(shop.storefront, baseUrl);
      return browser
        .post("/bought", { checkout: token }, headers)
        .then((answer) => ({ browser, answer }));
    };

    test("one click shows the order that was just paid, and no other of the buyer's", async () => {
      const older = await shop.buy({}, {}, { customer: ana });
      const { url, token, pay } = await purchase({}, { customer: ana });
      expect(await page(url)).not.toContain("/bought");
      const { order } = await pay();
      expect(await page(url)).toContain(`action="${baseUrl}/bought"`);

      const { browser, answer } = await click(token);
      expect([answer.status, answer.location]).toEqual([303, `/account/orders/${order.id}`]);
      expect((await browser.get(`/orders/${order.id}`)).status).toBe(200);
      expect((await browser.get(`/orders/${older.id}`)).status).toBe(404);
      const home = await browser.get();
      expect(home.text).toContain(`Pedido ${order.number}`);
      expect(home.html).not.toContain(older.id);
      expect((await browser.get(`?after=${order.id}`)).html).not.toContain(older.id);
    });

    test("the address lets one browser in, which may come back", async () => {
      const { token, pay } = await purchase({}, { customer: ana });
      await pay();
      const { browser } = await click(token);
      expect((await click(token)).answer.status).toBe(410);
      expect((await browser.post("/bought", { checkout: token }, fromCheckout)).status).toBe(303);
    });

    test("nobody comes in by another site's form, by a GET, too late, unpaid or revoked", async () => {
      const { token, pay } = await purchase({}, { customer: ana });
      expect((await click(token)).answer.status).toBe(410);
      await pay();
      const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      expect((await click(token, foreign)).answer.status).toBe(403);
      expect((await click(`${token}x`)).answer.status).toBe(410);
      const browser = customerBrowser(shop.storefront, baseUrl);
      expect((await browser.get("/bought")).status).toBe(401);

      shop.advance(2_000);
      await shop.storefront.customers.revokeTokens({ ...where(), customer_id: ana.id });
      expect((await click(token)).answer.status).toBe(410);

      const late = await purchase({}, { customer: ana });
      await late.pay();
      shop.advance(31 * minute);
      expect(await page(late.url)).not.toContain("/bought");
      expect((await click(late.token)).answer.status).toBe(410);
    });

    test("the session of one order ends its subscription, and no other one", async () => {
      const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
      const other = await shop.buy({ items }, {}, { customer: ana, consent });
      const { token, pay } = await purchase({ items }, { customer: ana, consent });
      const { order } = await pay();
      const { browser } = await click(token);
      const own = order.subscription_id ?? "";
      const home = await browser.get();
      expect(home.html).toContain(own);
      expect(home.html).not.toContain(other.subscription_id);

      await browser.press(`/subscriptions/${own}/cancel`);
      const find = (id: string | null) => shop.storefront.subscriptions.retrieve(id ?? "", where());
      expect(await find(own)).toMatchObject({ cancel_at_period_end: true });
      expect(await find(other.subscription_id)).toMatchObject({ cancel_at_period_end: false });
    });

    test("a link of one order opens that order alone, for up to 14 days", async () => {
      const older = await shop.buy({}, {}, { customer: ana });
      const order = await shop.buy({}, {}, { customer: ana });
      const link = { ...where(), customer_id: ana.id, ttl_seconds: 14 * 86_400 };
      const { pageLink } = shop.owner.customers;
      await expect(pageLink(link)).rejects.toMatchObject({ param: "ttl_seconds" });
      const foreign = { ...link, customer_id: "u_bea", order_id: order.id };
      await expect(pageLink(foreign)).rejects.toMatchObject({ param: "order_id" });

      const { url } = await pageLink({ ...link, order_id: order.id });
      shop.advance(13 * 86_400_000);
      const browser = customerBrowser(shop.storefront, baseUrl);
      expect((await browser.post(url, {})).status).toBe(303);
      const home = await browser.get();
      expect(home.html).toContain(order.id);
      expect(home.html).not.toContain(older.id);
    });
  },
);
