import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { codeOf, createShop, origin, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

function promised(): [Promise<void>, () => void] {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}

describe.each(storages)("API keys, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });
  const authorization = (value: string) =>
    shop.get("/store", { headers: { authorization: value } });

  test("a call without Authorization is missing_api_key, also with a key parameter", async () => {
    expect(codeOf(await shop.get("/store"))).toEqual([401, "missing_api_key"]);
    expect(codeOf(await authorization(""))).toEqual([401, "missing_api_key"]);
    expect(codeOf(await shop.get(`/store?key=${shop.a.live.pub}`))).toEqual([
      401,
      "missing_api_key",
    ]);
  });

  test("anything but exactly one bearer token is 401 invalid_api_key", async () => {
    const { sec } = shop.a.live;
    for (const value of [
      "Basic dTpw",
      `Bearer ${sec}, Bearer ${shop.b.live.sec}`,
      `Bearer ${sec} x`,
      "Bearer",
      "Bearer ",
      sec,
      "Bearer ' OR 1=1--",
      "Bearer \u0080\u00ff\u00fe",
    ]) {
      expect(codeOf(await authorization(value)), value).toEqual([401, "invalid_api_key"]);
    }
  });

  test("the scheme is case-insensitive", async () => {
    expect((await authorization(`bEaReR ${shop.a.live.sec}`)).status).toBe(200);
  });

  test("a key of the wrong shape or checksum costs no storage call", async () => {
    const { pub, sec } = shop.a.live;
    shop.calls.length = 0;
    for (const key of [
      "x".repeat(10_000),
      sec.replace("_live_", "_test_"),
      pub.replace("_pub_", "_sec_"),
      `${sec.slice(0, -1)}${sec.endsWith("0") ? "1" : "0"}`,
    ]) {
      expect(codeOf(await shop.get("/store", { key }))).toEqual([401, "invalid_api_key"]);
    }
    expect(shop.calls).toEqual([]);
  });

  test("an unknown key of the right shape costs exactly one storage call", async () => {
    const { createApiKey } = await import("../../src/domain/keys/api-keys.ts");
    const key = createApiKey({ livemode: true, kind: "secret" }, (length) =>
      crypto.getRandomValues(new Uint8Array(length)),
    );
    shop.calls.length = 0;
    const answer = await shop.get("/store", { key });
    expect(codeOf(answer)).toEqual([401, "invalid_api_key"]);
    expect(answer.body.livemode).toBe(true);
    expect(shop.calls).toEqual(["access.findAccess"]);
  });

  test("only the revoked key is api_key_revoked; other keys of its store go on", async () => {
    const create = () =>
      shop.owner.keys.create({ store_id: shop.a.id, livemode: true, kind: "secret", name: "twin" });
    const [first, second] = [await create(), await create()];
    expect(first.key).not.toBe(second.key);
    await shop.owner.keys.revoke(shop.a.id, first.id);
    expect(codeOf(await shop.get("/store", { key: first.key }))).toEqual([401, "api_key_revoked"]);
    const edited = first.key.slice(0, -1) + (first.key.endsWith("a") ? "b" : "a");
    expect(codeOf(await shop.get("/store", { key: edited }))).toEqual([401, "invalid_api_key"]);
    expect((await shop.get("/store", { key: second.key })).status).toBe(200);
  });

  test("a key parameter given twice is 401 invalid_api_key", async () => {
    const { pub } = shop.a.live;
    expect(codeOf(await shop.get(`/store?key=${pub}&key=${pub}`, { key: pub }))).toEqual([
      401,
      "invalid_api_key",
    ]);
  });

  test("header and parameter of different stores or modes answer 401 invalid_api_key", async () => {
    const headers = { origin };
    expect(
      codeOf(await shop.get(`/store?key=${shop.b.live.pub}`, { key: shop.a.live.pub, headers })),
    ).toEqual([401, "invalid_api_key"]);
    expect(
      codeOf(await shop.get(`/store?key=${shop.a.test.pub}`, { key: shop.a.live.pub, headers })),
    ).toEqual([401, "invalid_api_key"]);
  });

  test("a deployment without live mode refuses live keys as invalid", async () => {
    const testOnly = await createShop(await open(), { modes: ["test"] });
    expect(codeOf(await testOnly.get("/store", { key: testOnly.a.live.sec }))).toEqual([
      401,
      "invalid_api_key",
    ]);
    expect((await testOnly.get("/store", { key: testOnly.a.test.sec })).status).toBe(200);
  });

  test("a revoked key is refused by this process at once, whatever the access cache", async () => {
    const cached = await createShop(await open(), { accessCacheMs: 1_000 });
    const key = await cached.owner.keys.create({
      store_id: cached.a.id,
      livemode: true,
      kind: "secret",
    });
    expect((await cached.get("/store", { key: key.key })).status).toBe(200);
    await cached.owner.keys.revoke(cached.a.id, key.id);
    expect(codeOf(await cached.get("/store", { key: key.key }))).toEqual([401, "api_key_revoked"]);
  });

  test("a key that was read during its revocation is not cached", async () => {
    const storage = await open();
    let held: { readonly until: Promise<void>; readonly read: () => void } | null = null;
    const slow: Storage = {
      ...storage,
      access: {
        ...storage.access,
        async findAccess(key_hash) {
          const access = await storage.access.findAccess(key_hash);
          held?.read();
          await held?.until;
          return access;
        },
      },
    };
    const cached = await createShop(slow, { accessCacheMs: 1_000 });
    const { key, id } = await cached.owner.keys.create({
      store_id: cached.a.id,
      livemode: true,
      kind: "secret",
    });
    const [until, release] = promised();
    const [isRead, read] = promised();
    held = { until, read };
    const early = cached.get("/store", { key });
    await isRead;
    await cached.owner.keys.revoke(cached.a.id, id);
    release();
    expect((await early).status).toBe(200);
    expect(codeOf(await cached.get("/store", { key }))).toEqual([401, "api_key_revoked"]);
  });

  test("the order of checks: key, browser, headless, maintenance, route, scope", async () => {
    const { a, owner } = shop;
    await owner.stores.update(a.id, { maintenance: true, headless_enabled: false });
    expect(codeOf(await shop.get("/nothing"))).toEqual([401, "missing_api_key"]);
    expect(codeOf(await shop.get("/nothing", { key: a.live.sec, headers: { origin } }))).toEqual([
      403,
      "secret_key_in_browser",
    ]);
    expect(codeOf(await shop.get("/nothing", { key: a.live.pub }))).toEqual([
      403,
      "headless_disabled",
    ]);
    await owner.stores.update(a.id, { headless_enabled: true });
    expect(codeOf(await shop.get("/nothing", { key: a.live.pub }))).toEqual([
      503,
      "store_maintenance",
    ]);
    await owner.stores.update(a.id, { maintenance: false });
    expect(codeOf(await shop.get("/nothing", { key: a.live.pub }))).toEqual([
      404,
      "route_not_found",
    ]);
    expect(codeOf(await shop.post("/orders", { key: a.live.pub, body: {} }))).toEqual([
      405,
      "method_not_allowed",
    ]);
    const refused = await shop.get("/orders?limit=0", { key: a.live.pub });
    expect(codeOf(refused)).toEqual([403, "insufficient_scope"]);
    expect(refused.body.error.message).toContain("the scope orders:read");
  });
});
