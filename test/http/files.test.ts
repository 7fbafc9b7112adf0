import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const buyer = { id: "u_ana", email: "ana@example.com" };
const delivery = {
  type: "file",
  file: "guides/coffee-v2.pdf",
  name: "Guia do café.pdf",
  max_downloads: 2,
} as const;
const guide = { name: "Guide", price: 1000, currency: "BRL", delivery } as const;
const bytes = new TextEncoder().encode("%PDF-1.7 a guide");

describe.each(storages)("files that are delivered, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  let asked: object[];
  let give: () => { url: string } | { body: Uint8Array; type: string } | null;
  beforeEach(async () => {
    storage = await open();
    asked = [];
    give = () => ({ body: bytes, type: "application/pdf" });
    shop = await createShop(storage, {
      limits: { checkout: null },
      customerPage: {
        baseUrl: "https://shop.example-a.com/account",
        uploads: {
          open(file) {
            asked.push(file);
            return give();
          },
        },
      },
    });
  });
  const where = () => ({ store_id: shop.a.id, livemode: false });

  const bought = async (quantity = 1) => {
    const { id: product_id } = await shop.owner.products.create(shop.a.id, guide);
    const items = [{ product_id, quantity }];
    return (await shop.buy({ items }, {}, { customer: buyer })).id;
  };
  const shown = async (order_id: string) => {
    const { body } = await shop.get(`/orders/${order_id}`, { key: shop.a.test.sec });
    return body.data.entitlements[0];
  };
  const download = (url: string, method = "GET") =>
    shop.storefront.customerPage.handler(new Request(url, { method }));

  test("the order has a link of an hour, by which the file comes, and each download counts", async () => {
    const order_id = await bought();
    const entitlement = await shown(order_id);
    expect(entitlement).toMatchObject({
      type: "file",
      status: "granted",
      file_name: "Guia do café.pdf",
      download_limit: 2,
      downloads: 0,
      url: expect.stringMatching(/^https:\/\/shop\.example-a\.com\/account\/files\/[\w.-]+$/),
    });
    const response = await download(entitlement.url);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("%PDF-1.7 a guide");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": "attachment; filename*=UTF-8''Guia%20do%20caf%C3%A9.pdf",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(asked).toEqual([
      { ...where(), file: "guides/coffee-v2.pdf", name: "Guia do café.pdf", order_id },
    ]);
    expect((await download(entitlement.url, "HEAD")).status).toBe(200);
    expect((await shown(order_id)).downloads).toBe(1);

    shop.advance(3_600_001);
    expect((await download(entitlement.url)).status).toBe(410);
    expect((await download((await shown(order_id)).url)).status).toBe(200);
    const all = [JSON.stringify(await shown(order_id)), shop.log.join()].join();
    expect(all).not.toContain("coffee-v2");
  });

  test("the header has no sign of a name that another reader of headers would refuse", async () => {
    const name = 'Ana\'s (2nd) *guia*; "a"\r\nSet-Cookie: x=1.pdf';
    const product = { ...guide, delivery: { ...delivery, name } };
    const { id: product_id } = await shop.owner.products.create(shop.a.id, product);
    const order = await shop.buy({ items: [{ product_id, quantity: 1 }] }, {}, { customer: buyer });
    const { headers } = await download((await shown(order.id)).url);
    const value = headers.get("content-disposition") ?? "";
    // RFC 8187: these characters, and bytes in two hexadecimal digits.
    expect(value).toMatch(/^attachment; filename\*=UTF-8''(?:[\w!#$&+.^`|~-]|%[\dA-F]{2})+$/);
    expect(decodeURIComponent(value.split("''")[1] ?? "")).toBe(name);
  });

  test("of downloads at once no more are handed over than the limit of all pieces", async () => {
    const order_id = await bought(2);
    const { url } = await shown(order_id);
    const answers = await Promise.all(Array.from({ length: 9 }, () => download(url)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect((await shown(order_id)).downloads).toBe(4);
  });

  test("a link ends with the refund, and a host that fails takes no download", async () => {
    const order_id = await bought();
    const { url } = await shown(order_id);
    give = () => {
      throw new Error("The bucket is away.");
    };
    expect((await download(url)).status).toBe(503);
    give = () => null;
    expect((await download(url)).status).toBe(404);
    expect(shop.errors).toHaveLength(2);
    expect((await shown(order_id)).downloads).toBe(0);

    give = () => ({ url: "https://bucket.example.com/signed?x=1" });
    const led = await download(url);
    expect([led.status, led.headers.get("location")]).toEqual([
      302,
      "https://bucket.example.com/signed?x=1",
    ]);
    await shop.storefront.orders.refund(order_id, { ...where(), reference: "r1" });
    expect((await download(url)).status).toBe(404);
    expect(await shown(order_id)).toMatchObject({ status: "revoked", url: null });
  });

  test("a link that was changed, or made for another order, opens nothing", async () => {
    const { url } = await shown(await bought());
    const [text = "", seal = ""] = (url.split("/files/")[1] ?? "").split(".");
    const parts = JSON.parse(Buffer.from(text, "base64url").toString());
    const other = Buffer.from(JSON.stringify([...parts.slice(0, 4), 9e15])).toString("base64url");
    const base = url.split("/files/")[0];
    for (const path of [`${other}.${seal}`, `${text}.`, `${text}.${seal}.x`, `${text}`, "x.y", "."])
      expect((await download(`${base}/files/${path}`)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test("the page of the buyer has the link", async () => {
    const order_id = await bought();
    const link = await shop.owner.customers.pageLink({ ...where(), customer_id: buyer.id });
    const entered = await shop.storefront.customerPage.handler(
      new Request(link.url, {
        method: "POST",
        headers: { origin: "https://shop.example-a.com", "sec-fetch-site": "same-origin" },
      }),
    );
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = await shop.storefront.customerPage.handler(
      new Request(`https://shop.example-a.com/account/orders/${order_id}`, { headers: { cookie } }),
    );
    const text = await page.text();
    expect(text).toContain("Guia do café.pdf");
    const [, url = ""] = /href="([^"]*\/files\/[^"]+)"/.exec(text) ?? [];
    expect((await download(url)).status).toBe(200);
  });
});

test("without uploads a file has no link, and an uploads without open is refused", async () => {
  const shop = await createShop(memoryStorage(), {
    customerPage: { baseUrl: "https://shop.example-a.com/account" },
  });
  const { id: product_id } = await shop.owner.products.create(shop.a.id, guide);
  const order = await shop.buy({ items: [{ product_id, quantity: 1 }] });
  const { body } = await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec });
  expect(body.data.entitlements[0]).toMatchObject({ type: "file", url: null });
  await expect(
    createShop(memoryStorage(), {
      customerPage: { baseUrl: "https://shop.example-a.com/account", uploads: {} as never },
    }),
  ).rejects.toMatchObject({ code: "invalid_option", param: "customerPage.uploads" });
});
