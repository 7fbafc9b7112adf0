import { describe, expect, test } from "vitest";
import type { DashboardAccess } from "vitrine/dashboard";
import { fillStore, idsOf, sell } from "../support/dashboard-records.ts";
import { createDashboardShop, type DashboardShop } from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

/** The addresses that a search leads to, below the store and mode. */
async function found(shop: DashboardShop, text: string, access?: DashboardAccess) {
  const at = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor(access);
  const { body, status } = await visitor.send(`${at}/search?q=${encodeURIComponent(text)}`);
  const [, results = ""] = /data-results>([\s\S]*?)<\/main>/.exec(body ?? "") ?? [];
  const addresses = [...results.matchAll(/href="([^"#]*)"/g)].map(([, each = ""]) => each);
  return { status, body: body ?? "", results: addresses.map((each) => each.slice(at.length + 1)) };
}

describe.each(storages)("a search across everything, on %s", (_name, open) => {
  test("finds orders, customers, products, coupons, endpoints and every kind of id", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const rows = await fillStore(shop, (kind) => `X-${kind}`);
    const sales = await sell(shop, (kind) => (kind === "Ana" ? "Ana Souza" : kind));
    const order = await shop.owner.orders.retrieve({
      store_id: shop.a.id,
      livemode: false,
      order_id: sales.orders,
    });
    const leads = async (text: string, path: string) =>
      expect([text, (await found(shop, text)).results.includes(path)]).toEqual([text, true]);

    for (const text of [
      String(order.number),
      `#${order.number}`,
      "ana@example",
      "souza",
      sales.orders,
    ])
      await leads(text, `orders/${sales.orders}`);
    for (const text of ["ana@example.com", "Souza", "ana sou"]) await leads(text, "customers/ana");
    await leads("x-product", `products/${rows.product.id}`);
    await leads("code", `coupons/${rows.coupon.id}`);
    await leads("hooks.example", `webhooks/${rows.endpoint.id}`);
    await leads("webhook", "webhooks");
    for (const [place, id] of Object.entries({ ...idsOf(rows), requests: sales.requests }))
      await leads(String(id), `${place}/${id}`);
    await leads(String(sales.events), `events/${sales.events}`);
    await leads(String(sales.subscriptions), `subscriptions/${sales.subscriptions}`);
    await leads(order.checkout_session_id ?? "", `orders/${sales.orders}`);
    expect((await found(shop, "nothing of this kind")).body).toContain("Nothing was found.");
  });
});

test("a search shows what the person's rights allow, of the own store and mode alone", async () => {
  const shop = await createDashboardShop();
  const rows = await fillStore(shop, (kind) => `X-${kind}`);
  const sales = await sell(shop, (kind) => kind);
  const reader = { actor: "rui", stores: [shop.a.id], access: "read" } as const;
  const id = String(sales.requests);
  expect((await found(shop, id)).results).toEqual([`requests/${id}`]);
  expect((await found(shop, id, reader)).results).toEqual([]);
  expect((await found(shop, "request", reader)).results).toEqual([]);

  const { owner, b } = shop;
  const other = await owner.products.create(b.id, { name: "Far", price: 1, currency: "BRL" });
  for (const text of ["Far", other.id]) expect((await found(shop, text)).results).toEqual([]);
  const eva = shop.visitor({ actor: "eva", stores: [b.id], access: "all" });
  expect((await eva.send(`/dashboard/${shop.a.id}/test/search?q=X`)).status).toBe(404);
  const live = `/dashboard/${shop.a.id}/live/search?q=`;
  for (const text of [sales.orders, String(sales.events), rows.key.id]) {
    const { body } = await shop.visitor().send(`${live}${text}`);
    expect([text, body?.includes("Nothing was found.")]).toEqual([text, true]);
  }
});

test("a search is text on its page, and none is too long or strange", async () => {
  const shop = await createDashboardShop();
  const evil = `"><img src=x onerror=alert(1)>`;
  await shop.owner.products.create(shop.a.id, { name: evil, price: 100, currency: "BRL" });
  const { body, status, results } = await found(shop, evil);
  expect([status, body.includes("<img src=x"), results.length]).toEqual([200, false, 1]);
  const texts = ["", " ", "%", "_", "\\", "x".repeat(5_000), "😀".repeat(200), "prod_", "ord_%"];
  for (const text of texts) expect([text, (await found(shop, text)).status]).toEqual([text, 200]);
  expect(shop.errors).toEqual([]);
});

test("many hits are cut to five, and the list shows all", async () => {
  const shop = await createDashboardShop();
  const { owner, a } = shop;
  for (let index = 0; index < 7; index += 1)
    await owner.products.create(a.id, { name: `Mug ${index}`, price: 100, currency: "BRL" });
  const { results, body } = await found(shop, "mug");
  expect(results).toHaveLength(6);
  expect(results.at(-1)).toBe("products?search=mug");
  expect(body).toContain("5 results");
});
