import { describe, expect, test } from "vitest";
import { createStorefront } from "vitrine";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { type Random, rounds, startSeed } from "./seed.ts";

const halfAnHour = 1_800_000;

/** A jump of up to an hour, in either direction. */
const jumpMs = (random: Random): number => Math.round((random() * 2 - 1) * 2 * halfAnHour);

describe.each(storages)("a clock that jumps, on %s", (_, open) => {
  test("a key that another process revoked dies in time, whatever the clock does meanwhile", async () => {
    const random = startSeed("clock and keys");
    const shop = await createShop(await open(), { accessCacheMs: 30_000 });
    const other = createStorefront({
      storage: shop.storage,
      checkout: { baseUrl: "https://pay.example.com/c" },
      docsUrl: "https://docs.example.com/errors",
      sealKey: new Uint8Array(32).fill(3),
      now: shop.now,
    });

    for (let round = 0; round < rounds; round += 1) {
      const made = await other.owner.keys.create({
        store_id: shop.a.id,
        livemode: false,
        kind: "publishable",
        name: `round ${round}`,
      });
      const read = () => shop.get("/store", { key: made.key });
      expect((await read()).status).toBe(200);

      await other.owner.keys.revoke(shop.a.id, made.id);
      shop.advance(jumpMs(random));
      await read(); // it is still cached, or not any more
      shop.advance(30_000);
      expect((await read()).status).toBe(401);
    }
  });

  test("a clock that is set back refuses no call for the time of the step", async () => {
    const random = startSeed("clock and limits");
    const limit = { limit: 3, window_ms: 60_000 };
    const shop = await createShop(await open(), {
      limits: { checkout: limit, catalog: limit },
    });

    for (let round = 0; round < rounds; round += 1) {
      const exhausted = [];
      for (let call = 0; call < 4; call += 1)
        exhausted.push([
          (await shop.session()).status,
          (await shop.get("/products", { key: shop.a.test.pub })).status,
        ]);
      expect(exhausted.at(-1)).toEqual([429, 429]);

      shop.advance(-Math.round(60_000 + random() * halfAnHour));
      // The hits that all processes share are dated in the future now and count for nothing.
      expect((await shop.session()).status).toBe(201);
      expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(429);
      shop.advance(60_000);
      expect([
        (await shop.session()).status,
        (await shop.get("/products", { key: shop.a.test.pub })).status,
      ]).toEqual([201, 200]);
      shop.advance(60_000);
    }
  });

  test("maintenance ends within its budget when the clock is set back while it runs", async () => {
    const shop = await createShop(await open());
    let purges = 0;
    const storage = {
      ...shop.storage,
      purge: async () => {
        purges += 1;
        shop.advance(purges === 1 ? -halfAnHour : 500);
        return Number.MAX_SAFE_INTEGER; // there is always more to do
      },
    };
    const storefront = createStorefront({
      storage,
      checkout: { baseUrl: "https://pay.example.com/c" },
      docsUrl: "https://docs.example.com/errors",
      sealKey: new Uint8Array(32).fill(3),
      now: shop.now,
    });
    const report = await storefront.runMaintenance({ maxDurationMs: 5_000 });
    expect([report.stopped_by, report.duration_ms]).toEqual(["budget", 5_000]);
  });
});
