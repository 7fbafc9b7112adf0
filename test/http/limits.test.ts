import { describe, expect, test } from "vitest";
import { memoryStorage, type StorefrontOptions } from "vitrine";
import { codeOf, createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

// What is counted together is decided above every storage, so that memory is enough.

const limitedTo = (name: "catalog" | "customers" | "orders" | "coupons", limit: number) => ({
  limits: { [name]: { limit, window_ms: 60_000 } },
});

const shopWith = (options: Partial<StorefrontOptions>): Promise<Shop> =>
  createShop(memoryStorage(), options);

const tokenFor = async (shop: Shop, customer_id: string): Promise<string> =>
  (
    await shop.storefront.customers.issueToken({
      store_id: shop.a.id,
      livemode: false,
      customer_id,
    })
  ).token;

describe("the headers of a limit", () => {
  test("tell the policy, what is left, and whole seconds, rounded up", async () => {
    const shop = await shopWith(limitedTo("catalog", 2));
    const ask = () => shop.get("/store", { key: shop.a.test.pub });

    const first = await ask();
    expect(first.headers["ratelimit-policy"]).toBe('"catalog";q=2;w=60');
    expect(first.headers["ratelimit"]).toBe('"catalog";r=1;t=60');

    shop.advance(500);
    expect((await ask()).headers["ratelimit"]).toBe('"catalog";r=0;t=60');
    const refused = await ask();
    expect(codeOf(refused)).toEqual([429, "rate_limit_exceeded"]);
    expect(refused.headers["retry-after"]).toBe("60");
    expect(refused.headers["ratelimit"]).toBe('"catalog";r=0;t=60');
  });

  test("never send a client back before its time, nor at once", async () => {
    const shop = await shopWith(limitedTo("catalog", 1));
    const ask = () => shop.get("/store", { key: shop.a.test.pub });
    await ask();

    shop.advance(58_001);
    expect((await ask()).headers["retry-after"]).toBe("2");
    shop.advance(1_998);
    expect((await ask()).headers["retry-after"]).toBe("1");
    shop.advance(1);
    expect((await ask()).status).toBe(200);
  });
});

test.each(storages)(
  "without a clock of the host's the limit of coupons holds, on %s",
  async (_name, open) => {
    const limits = { coupons: { limit: 2, window_ms: 3_600_000 } };
    const shop = await createShop(await open(), { now: undefined, limits });
    const body = { code: "NONE", items: [{ product_id: shop.product.id, quantity: 1 }] };
    const statuses = [];
    for (let index = 0; index < 3; index += 1) {
      const reply = await shop.post("/coupons/validate", { key: shop.a.test.pub, body });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  },
);

describe("what is counted together", () => {
  test("buyers' own orders: each buyer alone, whatever their address", async () => {
    const shop = await shopWith(limitedTo("customers", 1));
    const [ana, bia] = [await tokenFor(shop, "ana"), await tokenFor(shop, "bia")];
    const ask = (token: string, ip: string) =>
      shop.get("/customers/me/orders", {
        key: shop.a.test.pub,
        ip,
        headers: { "x-service-customer-token": token },
      });

    expect((await ask(ana, "203.0.113.1")).status).toBe(200);
    expect((await ask(bia, "203.0.113.1")).status).toBe(200);
    expect((await ask(ana, "203.0.113.2")).status).toBe(429);
    expect((await ask(bia, "203.0.113.3")).status).toBe(429);
  });

  test("orders: each secret key alone, whatever its address", async () => {
    const shop = await shopWith(limitedTo("orders", 1));
    const { key: other } = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: false,
      kind: "secret",
    });
    const ask = (key: string, ip: string) => shop.get("/orders", { key, ip });

    expect((await ask(shop.a.test.sec, "203.0.113.1")).status).toBe(200);
    expect((await ask(other, "203.0.113.1")).status).toBe(200);
    expect((await ask(shop.a.test.sec, "203.0.113.2")).status).toBe(429);
    expect((await ask(shop.a.live.sec, "203.0.113.1")).status).toBe(200);
    expect((await ask(shop.b.test.sec, "203.0.113.1")).status).toBe(200);
  });

  test("the catalog: an address with publishable keys, the key itself with a secret one", async () => {
    const shop = await shopWith(limitedTo("catalog", 1));
    const { key: other } = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: false,
      kind: "publishable",
    });
    const ask = (key: string, ip: string) => shop.get("/store", { key, ip });

    expect((await ask(shop.a.test.pub, "203.0.113.1")).status).toBe(200);
    expect((await ask(other, "203.0.113.1")).status).toBe(429);
    expect((await ask(other, "203.0.113.2")).status).toBe(200);
    expect((await ask(shop.a.live.pub, "203.0.113.1")).status).toBe(200);

    expect((await ask(shop.a.test.sec, "203.0.113.1")).status).toBe(200);
    expect((await ask(shop.a.test.sec, "203.0.113.9")).status).toBe(429);
  });
});

describe("the buyer's address that a server names", () => {
  const check = (shop: Shop, key: string, buyerIp: string) =>
    shop.post("/coupons/validate", {
      key,
      ip: "198.51.100.1",
      headers: { "x-service-buyer-ip": buyerIp },
      body: { code: "X", items: [{ product_id: shop.product.id, quantity: 1 }] },
    });

  test("counts with a secret key where the host trusts it", async () => {
    const shop = await shopWith({ ...limitedTo("coupons", 1), trustBuyerIp: true });
    const { sec } = shop.a.test;
    expect((await check(shop, sec, "203.0.113.1")).status).toBe(200);
    expect((await check(shop, sec, "203.0.113.2")).status).toBe(200);
    expect((await check(shop, sec, "203.0.113.1")).status).toBe(429);
  });

  test.each([
    ["a publishable key", true, "pub"],
    ["a host that does not trust it", false, "sec"],
  ] as const)("does not count with %s", async (_name, trustBuyerIp, kind) => {
    const shop = await shopWith({ ...limitedTo("coupons", 1), trustBuyerIp });
    const key = shop.a.test[kind];
    expect((await check(shop, key, "203.0.113.1")).status).toBe(200);
    expect((await check(shop, key, "203.0.113.2")).status).toBe(429);
  });
});

describe("a limiter of the host", () => {
  const failing = { hit: () => Promise.reject(new Error("no Redis")) };

  test("that fails lets the request pass without the limit's headers, and is reported", async () => {
    const shop = await shopWith({ limiter: failing });
    const answer = await shop.session();
    expect(answer.status).toBe(201);
    expect(answer.headers).not.toHaveProperty("ratelimit");
    expect(shop.errors).toEqual([new Error("no Redis")]);
  });

  test("is not asked for what this process counts alone", async () => {
    const shop = await shopWith({ limiter: failing });
    expect((await shop.get("/store", { key: shop.a.test.pub })).status).toBe(200);
    expect(shop.errors).toEqual([]);
  });
});
