import { join } from "node:path";
import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { createShop } from "../support/shop.ts";
import { rounds, startSeed } from "./seed.ts";

test("a full disk makes writes 503 with nothing half-done; reads go on, and sales too once there is room", async () => {
  const random = startSeed("disk full");
  const database = openSqlite(join(freshFolder(), "shop.sqlite"));
  database.pragma("busy_timeout = 0");
  const storage = sqliteStorage(database);
  await storage.migrate();
  const shop = await createShop(storage, { limits: { checkout: null } });
  const rowsOf = (table: string): unknown =>
    database.prepare(`select count(*) from ${table}`).pluck().get();

  for (let round = 0; round < rounds; round += 1) {
    const free = Math.floor(random() * 12);
    // The file may grow by a few pages more: the disk fills up somewhere within a purchase.
    const pages = Number(database.pragma("page_count", { simple: true }));
    database.pragma(`max_page_count = ${pages + free}`);

    const statuses = new Set<number>();
    for (let call = 0; call < 400 && !statuses.has(503); call += 1) {
      const made = await Promise.all([shop.session(), shop.session()]);
      for (const { status } of made) statuses.add(status);
    }
    expect(statuses.has(503)).toBe(true);
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(200);
    // Every key belongs to a session: none was written without the other.
    expect(rowsOf("idempotency_keys")).toBe(rowsOf("checkout_sessions"));

    database.pragma("max_page_count = 1073741823");
    expect((await shop.buy()).status).toBe("paid");
  }
  expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  database.close();
});
