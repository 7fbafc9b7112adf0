import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { codeOf, createShop, faultOf, origin, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("browsers, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });
  const browser = (from: string, path = "/products", key = shop.a.live.pub) =>
    shop.get(`${path}?key=${key}`, { key, headers: { origin: from } });
  const preflight = (
    path: string,
    from: string | undefined,
    headers: Record<string, string> = {},
  ) =>
    shop.call("OPTIONS", path, {
      headers: {
        ...(from === undefined ? {} : { origin: from }),
        "access-control-request-method": "GET",
        ...headers,
      },
    });
  const hasCors = (headers: Record<string, string>) =>
    Object.keys(headers).some((name) => name.startsWith("access-control-"));

  test("a registered origin with the key parameter gets its origin back", async () => {
    const answer = await browser(origin);
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(answer.headers["vary"]).toContain("Origin");
    expect(answer.headers["access-control-expose-headers"]).toBe(
      "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Original-Request-Id, " +
        "Idempotent-Replayed, Deprecation, Sunset, Link, X-Test-Clock",
    );
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  const localPages = ["http://localhost", "http://localhost:5173", "http://127.0.0.1:3000"];
  test.each([...localPages, "http://[::1]:8080"])(
    "a test key is used from %s once the owner allows localhost, a live key never",
    async (from) => {
      const test = shop.a.test.pub;
      const refused = await browser(from, "/products", test);
      expect(codeOf(refused)).toEqual([403, "origin_not_allowed"]);
      expect(refused.body.error.message).toContain("localhost_origins: true");

      await shop.owner.stores.update(shop.a.id, { localhost_origins: true });
      const answer = await browser(from, "/products", test);
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, from]);
      expect((await preflight(`/products?key=${test}`, from)).status).toBe(204);

      expect(codeOf(await browser(from))).toEqual([403, "origin_not_allowed"]);
      expect(codeOf(await preflight(`/products?key=${shop.a.live.pub}`, from))[0]).toBe(403);
      expect((await browser(from)).body.error.message).not.toContain("localhost");
    },
  );

  test("no other page is taken for one of localhost", async () => {
    await shop.owner.stores.update(shop.a.id, { localhost_origins: true });
    for (const from of [
      "https://localhost",
      "http://localhost.example.com",
      "http://localhost:5173.example.com",
      "http://127.0.0.2",
      "http://127.0.0.1.example.com",
      "http://evil.com#localhost",
      "http://LOCALHOST",
      "http://localhost:123456",
      "null",
    ])
      expect(codeOf(await browser(from, "/products", shop.a.test.pub)), from).toEqual([
        403,
        "origin_not_allowed",
      ]);
  });

  test("Vary is sent without an Origin too", async () => {
    const { headers } = await shop.get("/products", { key: shop.a.live.pub });
    expect(headers["vary"]).toMatch(/Authorization.*Origin/);
    expect(hasCors(headers)).toBe(false);
  });

  test("an origin matches only when it is equal", async () => {
    for (const from of [
      "null",
      "",
      "https://evilshop.example-a.com",
      `${origin}:8443`,
      `${origin}/`,
      "http://shop.example-a.com",
      origin.toUpperCase(),
    ]) {
      const answer = await browser(from);
      expect(codeOf(answer), from).toEqual([403, "origin_not_allowed"]);
      expect(hasCors(answer.headers)).toBe(false);
    }
  });

  test("localhost is registered with its port", async () => {
    await shop.owner.origins.add(shop.a.id, "http://localhost:3000");
    expect((await browser("http://localhost:3000")).status).toBe(200);
    expect(codeOf(await browser("http://localhost:3001"))).toEqual([403, "origin_not_allowed"]);
  });

  test("a browser call without the key parameter is 403 and has no CORS headers", async () => {
    for (const headers of [
      { origin },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-dest": "empty" },
    ]) {
      const answer = await shop.get("/products", { key: shop.a.live.pub, headers });
      expect(faultOf(answer)).toEqual([403, "origin_not_allowed", "key"]);
      expect(hasCors(answer.headers)).toBe(false);
    }
  });

  test("headers that servers send too do not make a browser call", async () => {
    for (const headers of [
      { "sec-fetch-mode": "cors", "user-agent": "node" },
      { referer: origin },
      { "x-requested-with": "XMLHttpRequest" },
    ]) {
      expect((await shop.get("/store", { key: shop.a.live.sec, headers })).status).toBe(200);
    }
  });

  test("a secret key in a browser is blocked and raises one alert an hour", async () => {
    for (let call = 0; call < 50; call += 1) {
      expect(
        codeOf(await shop.get("/store", { key: shop.a.live.sec, headers: { origin } })),
      ).toEqual([403, "secret_key_in_browser"]);
    }
    const stored = async () =>
      (await shop.owner.alerts.list(shop.a.id)).data.map((alert) => alert.type);
    expect(await stored()).toEqual(["secret_key_in_browser"]);
    expect(shop.alerts).toEqual(["secret_key_in_browser"]);
    shop.advance(3_600_001);
    await shop.get("/store", { key: shop.a.live.sec, headers: { origin } });
    expect(await stored()).toHaveLength(2);
    expect((await shop.get("/store", { key: shop.a.live.sec })).status).toBe(200);
  });

  test("a secret key as the key parameter is 403 after every 401, with its alert", async () => {
    const leaked = `/store?key=${shop.a.live.sec}`;
    expect(codeOf(await shop.get(leaked))).toEqual([401, "missing_api_key"]);
    expect(codeOf(await shop.get(leaked, { key: "nonsense" }))).toEqual([401, "invalid_api_key"]);
    expect(shop.alerts).toEqual(["secret_key_in_browser"]);
    expect(codeOf(await shop.get(leaked, { key: shop.a.live.pub }))).toEqual([
      403,
      "secret_key_in_browser",
    ]);
    expect(codeOf(await shop.get(leaked, { key: shop.b.live.sec }))).toEqual([
      403,
      "secret_key_in_browser",
    ]);
    expect(codeOf(await preflight(leaked, origin))).toEqual([403, "secret_key_in_browser"]);
  });

  test("revokeLeakedKeys tries again at the next call when the storage failed", async () => {
    const storage = await open();
    let failures = 1;
    const step: Storage["records"]["step"] = async (subject, decide) => {
      if (subject.step === "revokeKey" && failures-- > 0) throw new Error("The storage is down.");
      return storage.records.step(subject, decide);
    };
    const strict = await createShop(
      { ...storage, records: Object.assign(Object.create(storage.records), { step }) },
      { revokeLeakedKeys: true },
    );
    const leaked = { key: strict.a.live.sec, headers: { origin } };
    expect((await strict.get("/store", leaked)).status).toBe(500);
    expect(codeOf(await strict.get("/store", leaked))).toEqual([403, "secret_key_in_browser"]);
    expect(codeOf(await strict.get("/store", leaked))).toEqual([401, "api_key_revoked"]);
    await expect.poll(() => strict.alerts).toEqual(["secret_key_in_browser"]);
  });

  test("revokeLeakedKeys revokes the leaked key", async () => {
    const strict = await createShop(await open(), { revokeLeakedKeys: true });
    await strict.get("/store", { key: strict.a.live.sec, headers: { origin } });
    expect(codeOf(await strict.get("/store", { key: strict.a.live.sec }))).toEqual([
      401,
      "api_key_revoked",
    ]);
  });

  test("a preflight with the publishable key is 204 and names methods and headers", async () => {
    const answer = await preflight(`/products?key=${shop.a.live.pub}`, origin, {
      "access-control-request-method": "DELETE",
      "access-control-request-headers": "x-evil",
    });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, HEAD, POST, PATCH",
      "access-control-allow-headers":
        "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Service-Customer-Token",
      "access-control-max-age": "600",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
  });

  test("a preflight judges neither store nor route: the call after it does", async () => {
    await shop.owner.stores.update(shop.a.id, { headless_enabled: false, maintenance: true });
    expect((await preflight(`/nowhere?key=${shop.a.live.pub}`, origin)).status).toBe(204);
    const answer = await browser(origin);
    expect(codeOf(answer)).toEqual([403, "headless_disabled"]);
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
  });

  test("any other preflight is 403 without any CORS header", async () => {
    const revoked = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: true,
      kind: "publishable",
    });
    await shop.owner.keys.revoke(shop.a.id, revoked.id);
    const { pub } = shop.a.live;
    for (const [path, from] of [
      ["/products", origin],
      [`/products?key=${pub}`, "https://shop.example-b.com"],
      [`/products?key=${revoked.key}`, origin],
      [`/products?key=${pub}&key=${pub}`, origin],
      [`/products?key=${pub}`, undefined],
    ] as const) {
      const answer = await preflight(path, from);
      expect(codeOf(answer), path).toEqual([403, "origin_not_allowed"]);
      expect(hasCors(answer.headers)).toBe(false);
    }
  });

  test("with a known key and origin every answer has CORS headers, even 401 and 429", async () => {
    const bad = await shop.get(`/products?key=${shop.a.live.pub}`, {
      key: "wrong",
      headers: { origin },
    });
    expect([...codeOf(bad), bad.headers["access-control-allow-origin"]]).toEqual([
      401,
      "invalid_api_key",
      origin,
    ]);
    for (let call = 0; call < 20; call += 1)
      await shop.post("/coupons/validate", {
        key: shop.a.live.pub,
        body: { code: "X", items: [{ product_id: "x", quantity: 1 }] },
      });
    const limited = await shop.post(`/coupons/validate?key=${shop.a.live.pub}`, {
      key: shop.a.live.pub,
      headers: { origin },
      body: {},
    });
    expect(codeOf(limited)).toEqual([429, "rate_limit_exceeded"]);
    expect(limited.headers["access-control-allow-origin"]).toBe(origin);
    expect(limited.headers["access-control-expose-headers"]).toContain("Retry-After");
  });

  test("a key parameter that is no active key is 401 without CORS headers", async () => {
    const revoked = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: true,
      kind: "publishable",
    });
    await shop.owner.keys.revoke(shop.a.id, revoked.id);
    const headers = { origin };
    const wrong = await shop.get("/store?key=nonsense", { key: shop.a.live.pub, headers });
    expect(codeOf(wrong)).toEqual([401, "invalid_api_key"]);
    expect(hasCors(wrong.headers)).toBe(false);
    expect(
      codeOf(await shop.get(`/store?key=${revoked.key}`, { key: shop.a.live.pub, headers })),
    ).toEqual([401, "api_key_revoked"]);
  });
});
