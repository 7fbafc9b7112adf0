import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("protocol and rate limits, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });
  const send = (raw: Uint8Array | string, headers: Record<string, string> = {}) =>
    shop.post("/coupons/validate", { key: shop.a.test.pub, raw, headers });

  test("a body must be application/json without an encoding", async () => {
    for (const type of ["text/plain", "", "application/jsonx", "multipart/form-data"])
      expect(codeOf(await send("{}", { "content-type": type }))).toEqual([
        415,
        "unsupported_media_type",
      ]);
    const encoded = await send("{}", { "content-encoding": "gzip" });
    expect([...codeOf(encoded), encoded.body.error.param]).toEqual([
      415,
      "unsupported_media_type",
      "Content-Encoding",
    ]);
    expect(codeOf(await send("{}", { "content-type": "Application/JSON; charset=utf-8" }))).toEqual(
      [400, "parameter_missing"],
    );
  });

  test("a body that is no shallow JSON object is invalid_json; a BOM is dropped", async () => {
    for (const raw of [
      "",
      "{",
      "{'a':1}",
      "null",
      "[]",
      "1",
      '"x"',
      "[".repeat(30_000),
      `{"a":${"[".repeat(40)}${"]".repeat(40)}}`,
      new Uint8Array([0x7b, 0xff, 0x7d]),
    ]) {
      expect(codeOf(await send(raw))).toEqual([400, "invalid_json"]);
    }
    expect(codeOf(await send('\ufeff{"code":"X"}'))).toEqual([400, "parameter_missing"]);
  });

  test("a body over 64 KiB is 413", async () => {
    expect(codeOf(await send("[".repeat(100_000)))).toEqual([413, "request_too_large"]);
    expect(codeOf(await send("{}", { "content-length": "70000" }))).toEqual([
      413,
      "request_too_large",
    ]);
  });

  test("NUL and lone surrogates are refused in any text", async () => {
    for (const raw of [
      '{"code":"a\\u0000b"}',
      '{"code":"\\ud800"}',
      '{"a\\u0000":1}',
      '{"deep":[{"x":"\\u0000"}]}',
    ])
      expect(codeOf(await send(raw))[0]).toBe(400);
  });

  test("an unknown path is 404 with a good key and 401 without one", async () => {
    expect(codeOf(await shop.get("/nothing", { key: shop.a.test.pub }))).toEqual([
      404,
      "route_not_found",
    ]);
    expect(codeOf(await shop.get("/nothing"))).toEqual([401, "missing_api_key"]);
  });

  test("another method is 405 with Allow", async () => {
    for (const [method, path, allow] of [
      ["TRACE", "/products", "GET, HEAD, OPTIONS"],
      ["DELETE", "/orders/x", "GET, HEAD, OPTIONS"],
      ["GET", "/checkout/sessions", "POST, OPTIONS"],
      ["HEAD", "/coupons/validate", "POST, OPTIONS"],
    ] as const) {
      const answer = await shop.call(method, path, { key: shop.a.test.sec });
      expect([answer.status, answer.headers["allow"]]).toEqual([405, allow]);
    }
  });

  test("errors have the livemode of the key, or of its prefix, or else false", async () => {
    expect((await shop.get("/nothing", { key: shop.a.live.pub })).body.livemode).toBe(true);
    expect((await shop.get("/store", { key: `hk_live_sec_${"x".repeat(49)}` })).body.livemode).toBe(
      true,
    );
    expect((await shop.get("/store")).body.livemode).toBe(false);
  });

  test("a message names the parameter and holds neither its value nor the key", async () => {
    const value = "zz-hidden-value-zz";
    for (const answer of [
      await shop.get(`/products?limit=${value}`, { key: shop.a.test.pub }),
      await shop.get(`/orders?status=${value}`, { key: shop.a.test.sec }),
      await shop.session({
        items: [{ product_id: value, quantity: value }],
        customer: { email: value },
        success_url: `https://${value}.com`,
      }),
      await shop.get(`/products?starting_after=${value}`, { key: shop.a.test.pub }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain(value);
    }
  });

  test("the error reference needs no key, has every code's anchor and nothing inline or foreign", async () => {
    const { publicErrors } = await import("../../src/contract/errors.ts");
    const request = {
      header: () => undefined,
      body: async () => null,
      method: "GET",
      target: "/v1/docs/errors",
    };
    const page = await shop.storefront.serve(request);
    expect([page?.status, page?.headers["content-type"]]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(page?.headers["content-security-policy"]).toContain("default-src 'none'");
    for (const code of Object.keys(publicErrors)) expect(page?.body).toContain(`id="${code}"`);
    expect(page?.body).not.toMatch(/<script(?![^>]* src=)|<style|(?:src|href)="https?:/);
    expect(await shop.storefront.serve({ ...request, method: "HEAD" })).toMatchObject({
      status: 200,
      body: null,
    });
  });

  test("a query name given twice is 400 on every route, unknown ones too", async () => {
    for (const path of ["/store?x=1&x=2", "/products?a[]=1"])
      expect(codeOf(await shop.get(path, { key: shop.a.test.pub }))).toEqual([
        400,
        "parameter_invalid",
      ]);
    expect(
      codeOf(await shop.post("/checkout/sessions?x=1&x=2", { key: shop.a.test.pub, body: {} })),
    ).toEqual([400, "parameter_invalid"]);
  });

  test("a path that is not below the base path is left to the host", async () => {
    const request = { header: () => undefined, body: async () => null, method: "GET" };
    for (const target of ["/", "/v2/store", "/v1x", "/other/v1/store"])
      expect(await shop.storefront.serve({ ...request, target })).toBeNull();
    expect(
      (await shop.storefront.serve({ ...request, target: "http://host/v1/store" }))?.status,
    ).toBe(401);
    expect((await shop.storefront.handler(new Request("http://host/elsewhere"))).status).toBe(404);
  });

  test("a failing storage is 503; any other error is 500 and tells nothing of itself", async () => {
    const { fail } = await import("../../src/contract/errors.ts");
    const { access } = shop.storage;
    const find = access.findAccess;
    Object.assign(access, { findAccess: () => Promise.reject(new Error("secret detail")) });
    const broken = await shop.get("/store", { key: shop.a.test.pub });
    expect(codeOf(broken)).toEqual([500, "internal_error"]);
    expect(broken.text).not.toContain("secret detail");
    expect(shop.errors).toHaveLength(1);
    Object.assign(access, {
      findAccess: async () => fail("service_unavailable", { retry_after: 1 }),
    });
    expect(codeOf(await shop.get("/store", { key: shop.a.test.pub }))).toEqual([
      503,
      "service_unavailable",
    ]);
    Object.assign(access, { findAccess: find });
  });

  test("ten checkout calls of an address pass in a minute, the eleventh is 429", async () => {
    const first = await shop.session();
    expect(first.headers).toMatchObject({
      "ratelimit-policy": '"checkout";q=10;w=60',
      ratelimit: '"checkout";r=9;t=60',
    });
    for (let turn = 1; turn < 10; turn += 1) expect((await shop.session()).status).toBe(201);
    shop.advance(15_000);
    const refused = await shop.session();
    expect(codeOf(refused)).toEqual([429, "rate_limit_exceeded"]);
    expect(refused.headers["retry-after"]).toBe("45");
  });

  test("no 60 seconds hold more than ten calls, whenever they start", async () => {
    const burst = async () =>
      (await Promise.all(Array.from({ length: 10 }, () => shop.session()))).filter(
        (answer) => answer.status === 201,
      ).length;
    shop.advance(59_000);
    expect(await burst()).toBe(10);
    shop.advance(2_000);
    expect(await burst()).toBe(0);
    shop.advance(57_999);
    expect(await burst()).toBe(0);
    shop.advance(1);
    expect(await burst()).toBe(10);
  });

  test("of fifty calls at once exactly ten pass; refused ones are not counted", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.session()));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10);
    shop.advance(60_000);
    expect((await shop.session()).status).toBe(201);
  });

  test("IPv6 addresses are counted by /64, mapped IPv4 ones as IPv4", async () => {
    for (let turn = 0; turn < 10; turn += 1)
      expect((await shop.session({}, { ip: `2001:db8:1:2::${turn}` })).status).toBe(201);
    expect(codeOf(await shop.session({}, { ip: "2001:db8:1:2:ffff::1" }))).toEqual([
      429,
      "rate_limit_exceeded",
    ]);
    expect((await shop.session({}, { ip: "2001:db8:1:3::1" })).status).toBe(201);
    for (let turn = 0; turn < 10; turn += 1) await shop.session({}, { ip: "198.51.100.3" });
    expect(codeOf(await shop.session({}, { ip: "::ffff:198.51.100.3" }))).toEqual([
      429,
      "rate_limit_exceeded",
    ]);
  });

  test("429 comes before the body is read, and replays count", async () => {
    const headers = { "idempotency-key": "one" };
    for (let turn = 0; turn < 10; turn += 1)
      expect((await shop.session({}, { headers })).status).toBe(201);
    expect(
      codeOf(await shop.post("/checkout/sessions", { key: shop.a.test.pub, raw: "not json" })),
    ).toEqual([429, "rate_limit_exceeded"]);
  });

  test("when the host's limiter fails, the request passes and the error is reported", async () => {
    const down = await createShop(await open(), {
      limiter: { hit: () => Promise.reject(new Error("redis is down")) },
    });
    expect((await down.session()).status).toBe(201);
    expect(down.errors).toHaveLength(1);
  });

  test("X-Service-Buyer-IP counts only with a secret key and trustBuyerIp", async () => {
    const trusting = await createShop(await open(), { trustBuyerIp: true });
    const call = (key: string, buyer: string) =>
      trusting.session({}, { key, headers: { "x-service-buyer-ip": buyer } });
    for (let turn = 0; turn < 12; turn += 1)
      expect((await call(trusting.a.test.sec, `198.51.100.${turn}`)).status).toBe(201);
    for (let turn = 0; turn < 10; turn += 1) await call(trusting.a.test.pub, `198.51.101.${turn}`);
    expect(codeOf(await call(trusting.a.test.pub, "198.51.101.99"))).toEqual([
      429,
      "rate_limit_exceeded",
    ]);
  });

  test("each kind of request makes no more storage calls than it needs", async () => {
    const cached = await createShop(await open(), { accessCacheMs: 1_000, limits: {} });
    const count = async (act: () => Promise<unknown>) => {
      cached.calls.length = 0;
      await act();
      return cached.calls.length;
    };
    const key = cached.a.test.pub;
    const { headers } = await cached.get("/products", { key });
    expect(
      await count(() =>
        cached.get("/products", { key, headers: { "if-none-match": headers["etag"] ?? "" } }),
      ),
    ).toBe(0);
    expect(await count(() => cached.get("/products?limit=3", { key }))).toBe(1);
    expect(await count(() => cached.get("/products/product-a", { key }))).toBe(1);
    const idempotent = { key, headers: { "idempotency-key": "budget" } };
    expect(await count(() => cached.session({}, idempotent))).toBe(3);
    expect(await count(() => cached.session({}, idempotent))).toBe(2);
    const exact = await createShop(await open());
    exact.calls.length = 0;
    await exact.session();
    expect(exact.calls).toEqual([
      "access.findAccess",
      "limits.hit",
      "checkout.openCheckout",
      "checkout.step",
    ]);
  });
});
