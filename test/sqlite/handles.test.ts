import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { createShop, thrownBy } from "../support/shop.ts";

describe("a SQLite handle of the host's", () => {
  test("works when it gives integers as BigInt, and keeps that setting", async () => {
    const handle = new Database(":memory:");
    handle.pragma("busy_timeout = 100");
    handle.defaultSafeIntegers(true);
    const storage = sqliteStorage(handle);
    await storage.migrate();
    const shop = await createShop(storage);
    await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://a.example-hooks.com/",
    });
    expect(await shop.buy()).toMatchObject({ status: "paid", amount_total: 1000 });
    expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 3 });
    expect(handle.prepare("select 1 as one").get()).toEqual({ one: 1n });
  });

  test("gives 503 once it is closed, as a pool does that has ended", async () => {
    const handle = new Database(":memory:");
    handle.pragma("busy_timeout = 100");
    const storage = sqliteStorage(handle);
    await storage.migrate();
    const shop = await createShop(storage, { accessCacheMs: 60_000 });
    expect((await shop.get("/store", { key: shop.a.test.pub })).status).toBe(200);
    handle.close();
    await new Promise(setImmediate);
    expect((await shop.get("/store", { key: shop.a.test.pub })).status).toBe(503);
    for (const call of [
      storage.access.findStore("str_1"),
      storage.limits.hit({ bucket: "a", limit: 1, window_ms: 1_000 }, 1),
    ])
      expect(await thrownBy(call)).toMatchObject({ code: "service_unavailable" });
  });
});
