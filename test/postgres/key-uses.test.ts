import { expect, test } from "vitest";
import { createShop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

test("machines that note the same keys at once never wait for each other in a circle", async () => {
  // Nobody breaks such a circle here, so its writers would wait until their time is over.
  const { storage } = await openPostgresOn({ max: 20, options: "-c deadlock_timeout=1h" });
  const shop = await createShop(storage);
  const kind = "secret" as const;
  for (let index = 0; index < 30; index += 1)
    await shop.owner.keys.create({ store_id: shop.a.id, livemode: false, kind });
  const hashes = (await storage.access.listKeys(shop.a.id)).map(({ key_hash }) => key_hash);

  const hour = 3_600_000;
  for (let round = 1; round <= 10; round += 1)
    await Promise.all(
      hashes.slice(0, 20).map((_, index) => {
        const turned = [...hashes.slice(index), ...hashes.slice(0, index)];
        const used_at = shop.now() + round * hour;
        return storage.access.noteKeyUses(turned.map((key_hash) => ({ key_hash, used_at })));
      }),
    );

  const uses = (await storage.access.listKeys(shop.a.id)).map(({ last_used_at }) => last_used_at);
  expect(new Set(uses)).toEqual(new Set([shop.now() + 10 * hour]));
});
