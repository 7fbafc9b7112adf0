import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { archiveFolder } from "vitrine/archive";
import { forkable } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { createShop } from "../support/shop.ts";
import { databases } from "./databases.ts";

/** `ARCHIVED_ORDERS=1000` is the long form. */
const count = Number(process.env["ARCHIVED_ORDERS"] ?? 24);
const agedMs = 600 * 86_400_000;
const leaseMs = 60_000;

describe.concurrent.each(databases)("processes killed while they archive, on %s", (_name, open) => {
  test("no order is lost, and each is in the database or in a file at any time", {
    timeout: 180_000 + count * 1_000,
  }, async (context) => {
    const { args, storage } = open(context);
    await storage.migrate();
    let ahead = 0;
    const now = (): number => Date.now() + ahead;
    const shop = await createShop(storage, { now, limits: { checkout: null } });
    const where = { store_id: shop.a.id, livemode: false };
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1)
      ids.push((await shop.buy({}, {}, { customer: { id: `c_${n % 5}` } })).id);
    const month = new Date().toISOString().slice(0, 7);
    ahead = agedMs;
    await shop.storefront.drainWebhooks();
    while ((await shop.storefront.runMaintenance()).more);
    const totals = async () =>
      (await shop.owner.customers.list(where)).data.map(({ id, totals }) => [id, totals]);
    const known = await totals();

    const folder = freshFolder();
    const files = archiveFolder(folder);
    const stored = async (): Promise<ReadonlySet<string>> => {
      const found = new Set<string>();
      for (let starting_after: string | null = null; ; ) {
        const page = await shop.owner.orders.list({ ...where, limit: 100, starting_after });
        for (const { id } of page.data) found.add(id);
        starting_after = page.next_cursor;
        if (starting_after === null) return found;
      }
    };
    const archived = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const { id } of await shop.owner.archive.read({ ...where, month }, files))
        found.push(id);
      return found;
    };

    const start = await forkable("test/processes/archive-worker.ts");
    let kills = 0;
    for (let code: number | null = null; code !== 0; ) {
      // The lease of a killed process ends.
      ahead += leaseMs;
      const life = kills === 0 ? 5 : Math.ceil(-Math.log(1 - Math.random()) * 25);
      const child = start([...args, shop.a.id, month, String(ahead), folder, String(life)]);
      code = (await once(child, "exit"))[0];
      if (code === null) kills += 1;
      else expect(code).toBe(0);

      const places = new Set([...(await stored()), ...(await archived())]);
      expect(ids.filter((id) => !places.has(id))).toEqual([]);
    }

    expect(kills).toBeGreaterThan(0);
    expect(await stored()).toEqual(new Set());
    expect([...(await archived())].sort()).toEqual([...ids].sort());
    expect(await totals()).toEqual(known);
    await shop.storefront.close();
  });
});
