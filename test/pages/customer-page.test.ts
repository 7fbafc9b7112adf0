import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { type CustomerBrowser, customerBrowser, tokenOf } from "../support/customer-visit.ts";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const baseUrl = "https://pay.example.com/account";
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const ana = { id: "u_ana", name: "Ana Sá <b>", email: "ana@example.com", tax_id: "529.982.247-25" };
const seller = () => ({
  legal_name: "Loja A Ltda.",
  address: "Rua 1\nSão Paulo",
  tax_id: "12.3/4",
});

describe.each(storages)("the customer page, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  let plan: string;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage, {
      limits: { checkout: null },
      customerPage: { baseUrl, seller },
    });
    plan = await sellMonthly(shop);
  });

  const where = () => ({ store_id: shop.a.id, livemode: false });
  const linkOf = async (customer_id = ana.id, of = where()): Promise<string> =>
    (await shop.owner.customers.pageLink({ ...of, customer_id })).url;
  const anyone = (): CustomerBrowser => customerBrowser(shop.storefront, baseUrl);
  const press = (browser: CustomerBrowser, link: string) => browser.post(link, {});
  const signedIn = async (customer_id = ana.id, of = where()): Promise<CustomerBrowser> => {
    const browser = anyone();
    const entered = await press(browser, await linkOf(customer_id, of));
    expect([entered.status, entered.location]).toEqual([303, "/account"]);
    return browser;
  };
  const subscribe = async (customer: typeof ana): Promise<{ id: string; order: string }> => {
    const items = [{ product_id: plan, quantity: 1 }];
    const order = await shop.buy({ items }, {}, { customer, consent });
    return { id: order.subscription_id ?? "", order: order.id };
  };
  const find = (id: string) => shop.storefront.subscriptions.retrieve(id, where());
  const bea = { ...ana, id: "u_bea", name: "Bea", email: "bea@example.com" };

  test("shows the orders, and a receipt with lines, sums, payment, seller and a masked tax id", async () => {
    const order = await shop.buy({}, {}, { customer: ana });
    const browser = await signedIn();
    const home = await browser.get();
    expect(home.status).toBe(200);
    expect(home.text).toContain(`Pedido ${order.number}`);
    expect(home.text).toContain("Modo de teste");

    const { html, text } = await browser.get(`/orders/${order.id}`);
    expect(text).toContain(`Recibo do pedido ${order.number}`);
    expect(text).toContain("Loja A Ltda. 12.3/4 Rua 1 São Paulo");
    expect(text).toContain("***.***.247-**");
    expect(text).toMatch(/Forma de pagamento Pix/);
    expect(html).toContain("Ana Sá &lt;b&gt;");
    expect(html).not.toContain("529.982");
    expect(html.length + (await styleOf(browser, html)).length).toBeLessThan(30_720);
    expect(shop.errors).toEqual([]);
  });

  test("writes to the store's address alone", async () => {
    await shop.owner.stores.update(shop.a.id, { support_email: "a?bcc=b@c.example" });
    await shop.buy({}, {}, { customer: ana });
    const { html } = await (await signedIn()).get();
    expect(html).toContain('href="mailto:a%3Fbcc%3Db@c.example"');
  });

  const styleOf = async (browser: CustomerBrowser, html: string): Promise<string> => {
    const [, address = ""] = /rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
    const style = await browser.get(address.replace("/account", ""));
    expect(style.headers.get("cache-control")).toContain("immutable");
    return style.html;
  };

  test("shows what was delivered, and hides it once it is taken back", async () => {
    const delivery = { type: "license_key" as const };
    const key = { name: "App", price: 900, currency: "BRL", delivery };
    const { id: product_id } = await shop.owner.products.create(shop.a.id, key);
    const order = await shop.buy({ items: [{ product_id, quantity: 1 }] }, {}, { customer: ana });
    const [given] = (await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec })).body.data
      .entitlements;
    const browser = await signedIn();
    expect((await browser.get(`/orders/${order.id}`)).html).toContain(given.license_key);

    await shop.storefront.orders.refund(order.id, { ...where(), reference: "r1" });
    const { html, text } = await browser.get(`/orders/${order.id}`);
    expect(html).not.toContain(given.license_key);
    expect(text).toContain("Retirado em 15 de janeiro de 2026");
  });

  test("cancels a subscription for the end of its period, and takes that back", async () => {
    const { id } = await subscribe(ana);
    const browser = await signedIn();
    expect((await browser.get()).text).toContain("Próxima cobrança: R$ 50,00 em");

    const canceled = await browser.press(`/subscriptions/${id}/cancel`);
    expect([canceled.status, canceled.location]).toEqual([303, `/account#${id}`]);
    expect(await find(id)).toMatchObject({ status: "active", cancel_at_period_end: true });
    expect((await browser.get()).text).toContain("Nada mais será cobrado");

    await browser.press(`/subscriptions/${id}/keep`);
    expect(await find(id)).toMatchObject({ cancel_at_period_end: false });
  });

  test("leads to the checkout that pays what is open", async () => {
    const { id } = await subscribe(ana);
    const browser = await signedIn();
    const { status, location } = await browser.press(`/subscriptions/${id}/pay`);
    expect(status).toBe(303);
    expect(location).toContain("https://pay.example.com/c/");

    const path = `/subscriptions/${id}/pay`;
    const token = tokenOf((await browser.get()).html, path);
    await shop.storefront.subscriptions.cancel(id, { ...where(), at_period_end: false });
    expect((await browser.post(path, { token })).status).toBe(409);
  });

  test("lists older orders page by page", async () => {
    for (let count = 0; count < 21; count += 1) {
      await shop.buy({}, {}, { customer: ana });
      shop.advance(1_000);
    }
    const browser = await signedIn();
    const { html } = await browser.get();
    const [, query = ""] = /href="\/account(\?after=[^"]+)"/.exec(html) ?? [];
    expect(html.match(/<article/g)).toHaveLength(20);
    expect((await browser.get(query)).html.match(/<article/g)).toHaveLength(1);
    expect((await browser.get("?after=ord_none")).status).toBe(404);
    expect((await browser.get("?after=%00")).status).toBe(404);
  });

  test("a link works once, for one of many who press it at the same time, and no look spends it", async () => {
    await shop.buy({}, {}, { customer: ana });
    const link = await linkOf();
    const first = await anyone().get(link);
    expect(first.text).toContain("Veja suas compras em");
    expect(first.headers.get("set-cookie")).toBeNull();

    const pressed = await Promise.all(Array.from({ length: 6 }, () => press(anyone(), link)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410, 410]);
    expect((await press(anyone(), link)).text).toContain("Este link não funciona mais");

    const again = await createShop(storage, { customerPage: { baseUrl } });
    const elsewhere = customerBrowser(again.storefront, baseUrl);
    expect((await press(elsewhere, link)).status).toBe(410);
  });

  test("a link and a session end with their time, and maintenance keeps the mark until then", async () => {
    const { url } = await shop.owner.customers.pageLink({ ...where(), customer_id: ana.id });
    const browser = await signedIn();
    await press(anyone(), url);
    shop.advance(86_400_000 - 1);
    await shop.storefront.runMaintenance();
    expect((await press(anyone(), url)).status).toBe(410);
    shop.advance(1);
    expect((await anyone().get(url)).status).toBe(410);
    expect((await browser.get()).status).toBe(401);
  });

  test("forged, changed and foreign passes open nothing", async () => {
    const link = await linkOf();
    const text = link.slice(`${baseUrl}/link/`.length);
    const [id, nonce, body = ""] = text.split(".");
    const changed = `${id}.${nonce}.${body.startsWith("A") ? "B" : "A"}${body.slice(1)}`;
    const other = await createShop(storage, {
      customerPage: { baseUrl },
      sealKey: new Uint8Array(32).fill(8),
    });
    const foreign = (
      await other.owner.customers.pageLink({ ...where(), customer_id: ana.id })
    ).url.slice(`${baseUrl}/link/`.length);
    for (const wrong of [changed, foreign, "", "a", "%00", `${text}/x`, "x".repeat(9_000)]) {
      expect((await press(anyone(), `/link/${wrong}`)).status).toBe(410);
      const browser = anyone();
      browser.setCookie(`__Secure-vitrine-customer=${wrong}`);
      expect((await browser.get()).status).toBe(401);
    }
    // A link is no session, and a session is no link.
    const browser = anyone();
    browser.setCookie(`__Secure-vitrine-customer=${text}`);
    expect((await browser.get()).status).toBe(401);
    const session = (await signedIn()).cookie();
    expect((await press(anyone(), `/link/${session.split("=")[1]}`)).status).toBe(410);
    browser.setCookie(`${session}; ${session}`);
    expect((await browser.get()).status).toBe(401);
    expect(shop.errors).toEqual([]);
  });

  test("shows nothing of another buyer, store or mode, on any page or form", async () => {
    const { id, order } = await subscribe(bea);
    const elsewhere = { store_id: shop.b.id, livemode: false };
    const strangers = [
      await signedIn(),
      await signedIn(bea.id, elsewhere),
      await signedIn(bea.id, { ...where(), livemode: true }),
      await signedIn("u_bea "),
    ];
    const hers = await signedIn(bea.id);
    for (const browser of strangers) {
      expect((await browser.get()).text).toContain("Você não tem pedidos aqui");
      expect((await browser.get(`?after=${order}`)).status).toBe(404);
      expect((await browser.get(`/orders/${order}`)).status).toBe(404);
      for (const action of ["cancel", "keep", "pay"]) {
        const path = `/subscriptions/${id}/${action}`;
        const token = tokenOf((await hers.get()).html, path);
        expect((await browser.post(path, { token })).status).toBe(403);
        expect((await browser.post(path, {})).status).toBe(403);
      }
    }
    expect(await find(id)).toMatchObject({ cancel_at_period_end: false });
    expect((await hers.get(`/orders/${order}`)).status).toBe(200);
  });

  test("a form of another site, without its token, or of another session does nothing", async () => {
    const { id } = await subscribe(ana);
    const browser = await signedIn();
    const path = `/subscriptions/${id}/cancel`;
    const foreign: HeadersInit[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      {},
    ];
    for (const headers of foreign) {
      expect((await browser.press(path, "", headers)).status).toBe(403);
      const pressed = await anyone().post(await linkOf(), {}, headers);
      expect([pressed.status, pressed.headers.get("set-cookie")]).toEqual([403, null]);
    }
    const old = tokenOf((await (await signedIn()).get()).html, path);
    for (const token of ["", "x", old, tokenOf((await browser.get()).html, "/leave")])
      expect((await browser.post(path, { token })).status).toBe(403);
    expect(await find(id)).toMatchObject({ cancel_at_period_end: false });
  });

  test("a revocation ends links and sessions, and an erased customer leaves nothing to see", async () => {
    const order = await shop.buy({}, {}, { customer: ana });
    const browser = await signedIn();
    const link = await linkOf();
    shop.advance(1_000);
    await shop.storefront.customers.revokeTokens({ ...where(), customer_id: ana.id });
    const refused = await browser.get();
    expect([refused.status, browser.cookie()]).toEqual([401, ""]);
    expect((await press(anyone(), link)).status).toBe(410);

    shop.advance(1_000);
    const later = await signedIn();
    const waiting = await linkOf();
    shop.advance(1_000);
    await shop.owner.eraseCustomer(shop.a.id, ana.id);
    expect((await later.get(`/orders/${order.id}`)).status).toBe(401);
    expect((await press(anyone(), waiting)).status).toBe(410);
    shop.advance(1_000);
    const after = await signedIn();
    expect((await after.get()).text).toContain("Você não tem pedidos aqui");
    expect((await after.get(`/orders/${order.id}`)).status).toBe(404);
    await expect(linkOf("cus_erased")).rejects.toMatchObject({ param: "customer_id" });
  });

  test("the host's own buyer token signs in, from the page's origin and those of the store", async () => {
    const order = await shop.buy({}, {}, { customer: ana });
    const { token } = await shop.storefront.customers.issueToken({
      ...where(),
      customer_id: ana.id,
    });
    await shop.owner.origins.add(shop.a.id, "https://app.example-a.com");
    const fields = { store_id: shop.a.id, mode: "test", token };
    const good: HeadersInit[] = [
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "cross-site", origin: "https://app.example-a.com" },
    ];
    for (const headers of good) {
      const browser = anyone();
      expect((await browser.post("/enter", fields, headers)).status).toBe(303);
      expect((await browser.get()).text).toContain(`Pedido ${order.number}`);
    }
    const bad: HeadersInit[] = [{ origin: "https://evil.example" }, { origin: "null" }, {}];
    for (const headers of bad)
      expect((await anyone().post("/enter", fields, headers)).status).toBe(403);
    for (const wrong of [
      { ...fields, token: `${token}x` },
      { ...fields, token: "" },
      { ...fields, mode: "live" },
      { ...fields, mode: "" },
      { ...fields, store_id: shop.b.id },
      { ...fields, store_id: "str_none" },
      { ...fields, store_id: "\u0000" },
    ])
      expect((await anyone().post("/enter", wrong)).status).toBe(401);

    shop.advance(1_000);
    await shop.storefront.customers.revokeTokens({ ...where(), customer_id: ana.id });
    expect((await anyone().post("/enter", fields)).status).toBe(401);
    expect(shop.errors).toEqual([]);
  });

  test("the option `token` lets in whom the host's own session knows", async () => {
    let customer_id: string | null = ana.id;
    const host = await createShop(storage, {
      customerPage: {
        baseUrl,
        async token() {
          if (customer_id === null) return null;
          const of = { store_id: host.a.id, livemode: false };
          const { token } = await host.storefront.customers.issueToken({ ...of, customer_id });
          return { ...of, token };
        },
      },
    });
    const order = await host.buy({}, {}, { customer: ana });
    const browser = customerBrowser(host.storefront, baseUrl);
    const home = await browser.get();
    expect(home.text).toContain(`Pedido ${order.number}`);
    expect(home.text).not.toContain("Sair");
    customer_id = "u_bea";
    expect((await browser.get(`/orders/${order.id}`)).status).toBe(404);
    customer_id = null;
    expect((await browser.get()).status).toBe(401);
  });

  test("signing out ends the session in this browser", async () => {
    const browser = await signedIn();
    expect((await browser.press("/leave")).location).toBe("/account");
    expect((await browser.get()).status).toBe(401);
  });

  test("has no scripts inline, is never kept, and speaks English too", async () => {
    await subscribe(ana);
    const browser = customerBrowser(shop.storefront, baseUrl, "en");
    const entered = await press(browser, await linkOf());
    expect(entered.headers.get("set-cookie")).toMatch(
      /^__Secure-vitrine-customer=\S+; Path=\/account; HttpOnly; SameSite=Lax; Secure; Max-Age=43200$/,
    );
    const { text, headers, html } = await browser.get();
    expect(text).toContain("Next charge: R$50.00 on February 15, 2026");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|style=|\son[a-z]+=/);
    expect((await browser.get("/nothing")).status).toBe(404);
    expect((await browser.get("/orders/%00")).status).toBe(404);
  });
});

test("a link needs the option, a store that exists, and at most a day", async () => {
  const { memoryStorage } = await import("vitrine");
  const plain = await createShop(memoryStorage());
  const link = { store_id: plain.a.id, livemode: false, customer_id: "u_1" };
  await expect(plain.owner.customers.pageLink(link)).rejects.toMatchObject({
    code: "invalid_option",
    param: "customerPage",
  });
  const shop = await createShop(memoryStorage(), { customerPage: { baseUrl } });
  const make = (more: object) => shop.owner.customers.pageLink({ ...link, ...more });
  await expect(make({ store_id: "str_none" })).rejects.toMatchObject({ param: "store_id" });
  await expect(make({ ttl_seconds: 86_401 })).rejects.toMatchObject({ param: "ttl_seconds" });
  await expect(make({ customer_id: "" })).rejects.toMatchObject({ param: "customer_id" });
  expect(await plain.storefront.customerPage.handler(new Request(baseUrl))).toMatchObject({
    status: 404,
  });
  for (const wrong of ["https://pay.example.com", "http://pay.example.com/a", "x"])
    await expect(
      createShop(memoryStorage(), { customerPage: { baseUrl: wrong } }),
    ).rejects.toMatchObject({ param: "customerPage.baseUrl" });
});
