import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createAccessCache } from "../../src/http/access/access-cache.ts";
import type { AccessRecord } from "../../src/rules/records.ts";
import type { Storage } from "../../src/storage/types.ts";
import { codeOf, createShop, faultOf, origin, type Shop } from "../support/shop.ts";

// These rules stand above every storage, so that memory is enough.

let shop: Shop;
beforeEach(async () => {
  shop = await createShop(memoryStorage());
});

describe("the key parameter beside the Authorization header", () => {
  const call = (key: string, parameter: string) =>
    shop.get(`/store?key=${parameter}`, { key, headers: { origin } });

  test("of the same store and mode is accepted, in each mode", async () => {
    for (const { pub } of [shop.a.live, shop.a.test]) {
      const answer = await call(pub, pub);
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    }
  });

  test("may be another publishable key of the store and mode", async () => {
    const other = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: false,
      kind: "publishable",
    });
    expect((await call(shop.a.test.pub, other.key)).status).toBe(200);
  });

  test.each([
    ["another store", () => shop.b.test.pub],
    ["the other mode", () => shop.a.live.pub],
    ["another store and mode", () => shop.b.live.pub],
  ])("of %s is refused", async (_name, parameter) => {
    const answer = await call(shop.a.test.pub, parameter());
    expect(faultOf(answer)).toEqual([401, "invalid_api_key", "key"]);
  });

  test("that is revoked is refused as such", async () => {
    const other = await shop.owner.keys.create({
      store_id: shop.a.id,
      livemode: false,
      kind: "publishable",
    });
    await shop.owner.keys.revoke(shop.a.id, other.id);
    expect(faultOf(await call(shop.a.test.pub, other.key))).toEqual([
      401,
      "api_key_revoked",
      "key",
    ]);
  });

  test("that is secret is refused, and named", async () => {
    const answer = await call(shop.a.test.pub, shop.a.test.sec);
    expect(faultOf(answer)).toEqual([403, "secret_key_in_browser", "key"]);
  });

  test("that is given many times costs two look-ups at most", async () => {
    const { pub } = shop.a.test;
    shop.calls.splice(0);
    await shop.get(`/store?${`key=${pub}&`.repeat(20)}`, { key: shop.a.test.pub });
    const reads = shop.calls.filter((name) => name === "access.findAccess");
    expect(reads.length).toBeLessThanOrEqual(3);
  });

  test("that is given twice is refused, also when both are good", async () => {
    const { pub } = shop.a.test;
    const answer = await shop.get(`/store?key=${pub}&key=${pub}`, { key: pub });
    expect(faultOf(answer)).toEqual([401, "invalid_api_key", "key"]);
  });
});

describe("the Authorization header", () => {
  const call = (authorization: string) => shop.get("/store", { headers: { authorization } });

  test.each([
    ["Bearer", (key: string) => `Bearer ${key}`],
    ["small letters", (key: string) => `bearer ${key}`],
    ["several spaces", (key: string) => `Bearer   ${key}`],
    ["space around it", (key: string) => ` Bearer ${key} `],
  ])("is read with %s", async (_words, write) => {
    expect((await call(write(shop.a.test.sec))).status).toBe(200);
  });

  test.each([
    ["only space", () => "  ", "missing_api_key"],
    ["another scheme", (key: string) => `Basic ${key}`, "invalid_api_key"],
    ["no space", (key: string) => `Bearer${key}`, "invalid_api_key"],
    ["two keys", (key: string) => `Bearer ${key}, Bearer ${key}`, "invalid_api_key"],
    ["a word before it", (key: string) => `x Bearer ${key}`, "invalid_api_key"],
  ])("is refused with %s", async (_words, write, code) => {
    expect(codeOf(await call(write(shop.a.test.sec)))).toEqual([401, code]);
  });

  test.each(["", "Basic "])(
    "the answer names the form when the key stands behind '%s'",
    async (scheme) => {
      const { body } = await call(`${scheme}${shop.a.test.sec}`);
      expect(body.error).toMatchObject({
        code: "invalid_api_key",
        message: "The Authorization header is not `Bearer <API_KEY>`.",
      });
      expect((await call(`Bearer ${shop.a.test.sec}x`)).body.error.message).toContain("is wrong");
    },
  );

  test("a key that no store knows names the mode of its error itself", async () => {
    const unknown = await createShop(memoryStorage());
    const modeOf = async (key: string) => (await call(`Bearer ${key}`)).body.livemode;
    expect(await modeOf(unknown.a.live.pub)).toBe(true);
    expect(await modeOf(unknown.a.test.pub)).toBe(false);
    expect(await modeOf("hk_live_")).toBe(true);
    expect(await modeOf("live")).toBe(false);
  });

  test("without a mode of its own leaves the mode to the key parameter", async () => {
    const headers = { authorization: "Bearer nonsense" };
    const answer = await shop.get(`/store?key=${shop.a.live.pub}`, { headers });
    expect([answer.status, answer.body.livemode]).toEqual([401, true]);
  });
});

describe("what makes a request a browser's", () => {
  test.each(["origin", "sec-fetch-site", "sec-fetch-dest"])(
    "%s alone does, so that a secret key is refused",
    async (name) => {
      const headers = { [name]: name === "origin" ? origin : "same-site" };
      const answer = await shop.get("/store", { key: shop.a.test.sec, headers });
      expect(codeOf(answer)).toEqual([403, "secret_key_in_browser"]);
    },
  );

  test("a browser's request that has no origin is answered", async () => {
    const headers = { "sec-fetch-site": "same-origin" };
    const { pub } = shop.a.test;
    expect((await shop.get(`/store?key=${pub}`, { key: pub, headers })).status).toBe(200);
  });

  test("sec-fetch-mode does not: Node's own fetch sends it", async () => {
    const headers = { "sec-fetch-mode": "cors" };
    expect((await shop.get("/store", { key: shop.a.test.sec, headers })).status).toBe(200);
  });
});

describe("the modes that a storefront serves", () => {
  test.each([
    ["live", 200, 401],
    ["test", 401, 200],
  ] as const)("one for %s mode alone answers live keys %d and test keys %d", async (...row) => {
    const [mode, live, testing] = row;
    const storage = memoryStorage();
    const both = await createShop(storage);
    const one = await createShopOn(storage, mode);
    for (const kind of ["pub", "sec"] as const) {
      expect((await one(both.a.live[kind])).status).toBe(live);
      expect((await one(both.a.test[kind])).status).toBe(testing);
    }
  });

  /** Calls a storefront of one mode that shares the storage with the shop. */
  async function createShopOn(storage: Storage, mode: "live" | "test") {
    const narrow = await createShop(storage, {
      modes: [mode],
      // The shop's fixtures make keys and methods of both modes.
      checkout: { baseUrl: "https://pay.example.com/c" },
    });
    return (key: string) => narrow.get("/store", { key });
  }
});

describe("a store that is turned off", () => {
  test("in maintenance it answers 503 and says when to come again", async () => {
    await shop.owner.stores.update(shop.a.id, { maintenance: true });
    const answer = await shop.get("/store", { key: shop.a.test.pub });
    expect(codeOf(answer)).toEqual([503, "store_maintenance"]);
    expect(answer.headers["retry-after"]).toBe("60");
    expect((await shop.get("/store", { key: shop.b.test.pub })).status).toBe(200);
  });

  test("turned off and in maintenance, it is turned off", async () => {
    await shop.owner.stores.update(shop.a.id, { maintenance: true, headless_enabled: false });
    const answer = await shop.get("/store", { key: shop.a.test.pub });
    expect(codeOf(answer)).toEqual([403, "headless_disabled"]);
  });
});

test("a leaked key that is revoked is refused at once, although it was cached", async () => {
  const cached = await createShop(memoryStorage(), {
    accessCacheMs: 60_000,
    revokeLeakedKeys: true,
  });
  const { sec } = cached.a.test;
  expect((await cached.get("/store", { key: sec })).status).toBe(200);
  await cached.get("/store", { key: sec, headers: { origin } });
  expect(codeOf(await cached.get("/store", { key: sec }))).toEqual([401, "api_key_revoked"]);
});

test("a key that is cached is read from the storage once", async () => {
  const cached = await createShop(memoryStorage(), { accessCacheMs: 60_000 });
  cached.calls.splice(0);
  for (let call = 0; call < 3; call += 1) await cached.get("/store", { key: cached.a.test.sec });
  expect(cached.calls.filter((name) => name === "access.findAccess")).toHaveLength(1);
});

test("the origin that a test key refuses on localhost is explained", async () => {
  const headers = { origin: "http://localhost:5173" };
  const { pub } = shop.a.test;
  const { body } = await shop.get(`/store?key=${pub}`, { key: pub, headers });
  expect(body.error.message).toMatch(/not registered with this store.*localhost_origins: true/);
});

describe("the cache of keys", () => {
  const recordOf = (store_id: string) =>
    ({ key: { id: store_id }, store: { id: store_id } }) as AccessRecord;

  /** A storage that finds the access of `a` and `b`, and tells its own version. */
  function cacheOf(maxAgeMs: number, dataVersion?: () => number) {
    const state = { now: 0, reads: 0, during: (): void => {} };
    const storage = {
      access: {
        async findAccess() {
          state.reads += 1;
          state.during();
          return recordOf(state.reads % 2 === 1 ? "a" : "b");
        },
      },
      ...(dataVersion && { dataVersion }),
    } as unknown as Storage;
    return { state, cache: createAccessCache(storage, maxAgeMs, () => state.now) };
  }

  test("a key is remembered for its time and not longer", async () => {
    const { state, cache } = cacheOf(100);
    expect(cache.recall("key-a")).toBeUndefined();
    expect(await cache.find("key-a")).toEqual(recordOf("a"));
    state.now = 99;
    expect(cache.recall("key-a")).toEqual(recordOf("a"));
    state.now = 100;
    expect(cache.recall("key-a")).toBeUndefined();
  });

  test("all keys are forgotten with the oldest of them", async () => {
    const { state, cache } = cacheOf(100);
    await cache.find("key-a");
    state.now = 60;
    await cache.find("key-b");
    state.now = 100;
    expect(cache.recall("key-b")).toBeUndefined();
  });

  test("with the time 0 nothing is remembered", async () => {
    const { cache } = cacheOf(0);
    await cache.find("key-a");
    expect(cache.recall("key-a")).toBeUndefined();
  });

  test("a store that is cleared loses its keys, and no other store", async () => {
    const { cache } = cacheOf(100);
    await cache.find("key-a");
    await cache.find("key-b");
    cache.clear("a");
    expect(cache.recall("key-a")).toBeUndefined();
    expect(cache.recall("key-b")).toEqual(recordOf("b"));
  });

  test("what was read while the store was cleared is answered and not remembered", async () => {
    const { state, cache } = cacheOf(100);
    state.during = () => cache.clear("a");
    expect(await cache.find("key-a")).toEqual(recordOf("a"));
    expect(cache.recall("key-a")).toBeUndefined();
  });

  test("what was read while another store was cleared is remembered", async () => {
    const { state, cache } = cacheOf(100);
    state.during = () => cache.clear("b");
    await cache.find("key-a");
    expect(cache.recall("key-a")).toEqual(recordOf("a"));
  });

  test("a clear before the read does not count against it", async () => {
    const { cache } = cacheOf(100);
    cache.clear("a");
    await cache.find("key-a");
    expect(cache.recall("key-a")).toEqual(recordOf("a"));
  });

  test("a write of another process that the storage tells of empties it", async () => {
    let version = 1;
    const { cache } = cacheOf(100, () => version);
    await cache.find("key-a");
    expect(cache.recall("key-a")).toBeDefined();
    version = 2;
    expect(cache.recall("key-a")).toBeUndefined();
    await cache.find("key-a");
    expect(cache.recall("key-a")).toBeDefined();
  });

  test("it holds ten thousand keys; the next one empties it", async () => {
    const { cache } = cacheOf(100);
    for (let index = 0; index < 10_000; index += 1) await cache.find(`key-${index}`);
    expect([cache.recall("key-0"), cache.recall("key-9999")]).not.toContain(undefined);
    await cache.find("key-10000");
    expect([cache.recall("key-0"), cache.recall("key-9999")]).toEqual([undefined, undefined]);
    expect(cache.recall("key-10000")).toBeDefined();
  });

  test("an unknown key is not remembered", async () => {
    const cache = createAccessCache(
      { access: { findAccess: async () => null } } as unknown as Storage,
      100,
      () => 0,
    );
    expect(await cache.find("key-a")).toBeNull();
    expect(cache.recall("key-a")).toBeUndefined();
  });

  test("after ten thousand clears, a store that was dropped counts as cleared", async () => {
    const { state, cache } = cacheOf(100);
    state.during = () => {
      for (let index = 0; index <= 10_001; index += 1) cache.clear(`other_${index}`);
    };
    await cache.find("key-a");
    expect(cache.recall("key-a")).toBeUndefined();
  });
});

describe("keys that no storage knows", () => {
  const unknown = async () => {
    const other = await createShop(memoryStorage());
    return [other.a.test.pub, other.a.test.sec, other.b.test.pub] as const;
  };

  test("are counted by address once the host asks for it, and known ones are not", async () => {
    const limited = await createShop(memoryStorage(), {
      limits: { unknownKeys: { limit: 2, window_ms: 60_000 } },
    });
    const [first, second, third] = await unknown();
    const from = (ip: string) => (key: string) => limited.get("/store", { key, ip });

    expect(codeOf(await from("203.0.113.1")(first))).toEqual([401, "invalid_api_key"]);
    expect(codeOf(await from("203.0.113.1")(second))).toEqual([401, "invalid_api_key"]);
    expect(codeOf(await from("203.0.113.1")(third))).toEqual([429, "rate_limit_exceeded"]);
    expect(codeOf(await from("203.0.113.2")(third))).toEqual([401, "invalid_api_key"]);
    expect((await from("203.0.113.1")(limited.a.test.pub)).status).toBe(200);
  });

  test("are not counted by default", async () => {
    for (const key of [...(await unknown()), ...(await unknown())])
      expect(codeOf(await shop.get("/store", { key }))).toEqual([401, "invalid_api_key"]);
  });
});
