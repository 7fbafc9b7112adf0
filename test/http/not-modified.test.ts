import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop, origin, type Shop } from "../support/shop.ts";

// How answers are compared stands above every storage, so that memory is enough.

let shop: Shop;
beforeEach(async () => {
  shop = await createShop(memoryStorage(), {
    limits: { catalog: { limit: 1_000, window_ms: 60_000 } },
  });
});

const tagOf = async (path: string, key: string): Promise<string> => {
  const { headers } = await shop.get(path, { key });
  return headers["etag"] ?? "";
};

describe("an answer of 304", () => {
  // The catalog is answered by its version, payment methods by their data.
  const asked = ["/store", "/products", "/payment-methods"];

  test.each(asked)("to %s lets the page read it, and tells the limit", async (path) => {
    const key = shop.a.test.pub;
    const first = await shop.get(`${path}?key=${key}`, { key, headers: { origin } });
    const tag = first.headers["etag"] ?? "";
    expect(first.status).toBe(200);

    const headers = { origin, "if-none-match": tag };
    const answer = await shop.get(`${path}?key=${key}`, { key, headers });
    expect(answer.status).toBe(304);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": first.headers["access-control-expose-headers"],
      vary: first.headers["vary"],
      "cache-control": "private, no-cache",
      etag: tag,
      "ratelimit-policy": first.headers["ratelimit-policy"],
    });
    expect(answer.headers["ratelimit"]).toMatch(/^"catalog";r=\d+;t=\d+$/);
    expect(answer.headers["vary"]?.split(", ")).toContain("Origin");
    expect(answer.headers).not.toHaveProperty("content-type");
  });

  test("is given to a server without CORS headers", async () => {
    const key = shop.a.test.sec;
    const headers = { "if-none-match": await tagOf("/store", key) };
    const answer = await shop.get("/store", { key, headers });
    expect(answer.status).toBe(304);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test.each([
    ["the tag itself", (tag: string) => tag, 304],
    ["the tag as a strong one", (tag: string) => tag.slice(2), 304],
    ["a list that holds it", (tag: string) => `"x", ${tag} , W/"y"`, 304],
    ["*", () => "*", 304],
    ["* with blanks", () => " * ", 304],
    ["another tag", () => 'W/"x"', 200],
    ["the tag without its quotes", (tag: string) => tag.replaceAll('"', ""), 200],
    ["a part of the tag", (tag: string) => `${tag.slice(0, -2)}"`, 200],
    ["nothing", () => "", 200],
  ])("answers If-None-Match with %s", async (_name, header, status) => {
    const key = shop.a.test.pub;
    const tag = await tagOf("/store", key);
    const headers = { "if-none-match": header(tag) };
    expect((await shop.get("/store", { key, headers })).status).toBe(status);
  });
});

describe("tags differ", () => {
  test("between paths whose data is the same", async () => {
    const key = shop.a.test.sec;
    const [orders, events] = [await tagOf("/orders", key), await tagOf("/events", key)];
    expect(orders).not.toBe("");
    expect(orders).not.toBe(events);
  });

  test("between the modes and stores", async () => {
    const keys = [shop.a.test.pub, shop.a.live.pub, shop.b.test.pub, shop.b.live.pub];
    const tags = await Promise.all(keys.map((key) => tagOf("/products", key)));
    expect(new Set(tags).size).toBe(4);
  });

  test("between the queries that the route reads, and no others", async () => {
    const key = shop.a.test.pub;
    const paths = ["/products", "/products?limit=1", "/products?limit=2", "/products?page=2"];
    const tags = await Promise.all(paths.map((path) => tagOf(path, key)));
    expect(new Set(tags).size).toBe(4);
    expect(await tagOf("/products?utm_source=x", key)).toBe(tags[0]);
  });

  test("after a write, also of a search, which is not kept in memory", async () => {
    const key = shop.a.test.pub;
    for (const path of ["/products", "/products?search=product"]) {
      const before = await tagOf(path, key);
      await shop.owner.products.update(shop.a.id, shop.product.id, { price: shop.now() % 1_000 });
      shop.advance(1);
      expect(await tagOf(path, key)).not.toBe(before);
    }
  });
});

test("what a cached answer of one mode says of the stock is not told to the other", async () => {
  const { a } = shop;
  const made = await shop.owner.products.create(a.id, {
    name: "Last piece",
    price: 1000,
    currency: "BRL",
    stock: 1,
  });
  await shop.buy({ items: [{ product_id: made.id, quantity: 1 }] });

  const availableWith = async (key: string): Promise<boolean> =>
    (await shop.get(`/products/${made.id}`, { key })).body.data.available;
  expect(await availableWith(a.test.pub)).toBe(false);
  expect(await availableWith(a.live.pub)).toBe(true);
  expect(await availableWith(a.test.pub)).toBe(false);
});
