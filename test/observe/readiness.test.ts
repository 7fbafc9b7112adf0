import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { textOf } from "../support/reply-text.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

async function ask(shop: Shop, method = "GET") {
  const reply = await shop.storefront.serve({
    method,
    target: "/v1/readyz",
    header: () => undefined,
    body: async () => null,
  });
  const text = await textOf(reply?.body);
  return { ...reply, json: text ? JSON.parse(text) : null };
}

describe("GET /readyz", () => {
  test.each(storages)("answers 200 without a key while %s is ready", async (name, open) => {
    const shop = await createShop(await open(), { readyz: true, now: Date.now });
    const reply = await ask(shop);
    const own = name === "memory" ? null : { ok: true };

    expect(reply).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    expect(reply.json).toMatchObject({ status: "ready", storage: "ok", schema: own, clock: own });
    expect(await ask(shop, "HEAD")).toMatchObject({ status: 200, body: null });
  });

  test.each(storages.slice(1))(
    "answers 503 when the clock is more than 5 s away from that of %s",
    async (_name, open) => {
      const now = (): number => Date.now() + 60_000;
      const shop = await createShop(await open(), { readyz: true, now });
      const reply = await ask(shop);

      expect(reply.status).toBe(503);
      expect(reply.json).toMatchObject({ status: "unready", clock: { ok: false } });
      expect(Math.abs(reply.json.clock.skew_ms - 60_000)).toBeLessThan(1_000);
    },
  );

  test.each([
    [9, 10, 503],
    [10, 10, 200],
    [11, 10, 200],
  ])("with schema %i where this version knows %i it is %i", async (found, known, status) => {
    const shop = await createShop(memoryStorage(), { readyz: true });
    const readiness = async () => ({ schema: { found, known }, clock: null });
    Object.assign(shop.storage.gauges, { readiness });
    expect(await ask(shop)).toMatchObject({ status, json: { schema: { found, known } } });
  });

  test("a storage that fails is 503 without a reason, asked once a second at most", async () => {
    const shop = await createShop(memoryStorage(), { readyz: true });
    let asked = 0;
    const readiness = () => {
      asked += 1;
      return Promise.reject(new Error("secret detail"));
    };
    Object.assign(shop.storage.gauges, { readiness });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await ask(shop)).toMatchObject({
        status: 503,
        body: '{"status":"unready","storage":"unavailable"}',
      });
    expect([asked, shop.errors.length]).toEqual([1, 1]);
  });

  test("a storage that hangs is 503 within its second", async () => {
    const shop = await createShop(memoryStorage(), { readyz: true });
    Object.assign(shop.storage.gauges, { readiness: () => new Promise(() => {}) });
    expect((await ask(shop)).status).toBe(503);
  });

  test("from the beginning of close() it is 503 and the storage is not asked", async () => {
    const shop = await createShop(memoryStorage(), { readyz: true });
    const readiness = () => Promise.reject(new Error("asked"));
    Object.assign(shop.storage.gauges, { readiness });
    const closed = shop.storefront.close();
    expect(await ask(shop)).toMatchObject({ status: 503, body: '{"status":"draining"}' });
    await closed;
    expect(shop.errors).toEqual([]);
  });

  test("without the option it is no path: 404 without a key", async () => {
    expect((await ask(await createShop(memoryStorage()))).status).toBe(404);
  });
});
