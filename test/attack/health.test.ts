import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { memoryStorage } from "vitrine";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

const poll = async (shop: Shop): Promise<number> =>
  (await shop.storefront.handler(new Request("http://x/v1/healthz"))).status;

describe("GET /healthz while the storage hangs", () => {
  test("answers 503 within its second, and asks one question at a time", async () => {
    const shop = await createShop(memoryStorage(), { healthz: true });
    const { findAccess } = shop.storage.access;
    const open: (() => void)[] = [];
    Object.assign(shop.storage.access, {
      findAccess: () => new Promise<null>((answer) => open.push(() => answer(null))),
    });
    const first = await Promise.all(Array.from({ length: 5 }, () => poll(shop)));
    expect(first).toEqual([503, 503, 503, 503, 503]);
    for (let turn = 0; turn < 5; turn += 1) {
      shop.advance(5_000);
      expect(await poll(shop)).toBe(503);
    }
    expect(open).toHaveLength(1);

    for (const answer of open) answer();
    Object.assign(shop.storage.access, { findAccess });
    shop.advance(5_000);
    await expect.poll(() => poll(shop)).toBe(200);
  });

  test("a poll that comes late in a question waits for the rest of its second alone", async () => {
    const shop = await createShop(memoryStorage(), { healthz: true });
    Object.assign(shop.storage.access, { findAccess: () => new Promise(() => {}) });
    const first = poll(shop);
    await pause(700);
    const second = poll(shop);
    expect(await first).toBe(503);
    // Both wait for the same question: a second of its own would end 700 ms later.
    expect(await Promise.race([second, pause(300)])).toBe(503);
  });
});

test("a locked table holds one connection, however often health is asked", async () => {
  const { storage } = await openPostgresOn({ max: 4, application_name: "attack_health" });
  const shop = await createShop(storage, { healthz: true });
  const locker = new pg.Client({ connectionString: await postgresUrl() });
  const watcher = new pg.Client({ connectionString: await postgresUrl() });
  await Promise.all([locker.connect(), watcher.connect()]);
  try {
    const { rows } = await watcher.query<{ schema: string }>(
      "select table_schema as schema from information_schema.tables where table_name = 'api_keys' and table_schema like $1 order by 1 desc",
      [`${inject("schemaPrefix")}${process.pid}%`],
    );
    await locker.query("begin");
    for (const { schema } of rows)
      await locker.query(`lock table ${schema}.api_keys in access exclusive mode`);
    const polls: Promise<unknown>[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      polls.push(poll(shop).then((status) => expect(status).toBe(503)));
      shop.advance(2_000);
      await pause(50);
    }
    const waiting = await watcher.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'attack_health'",
    );
    expect(waiting.rows[0]?.n).toBe(1);
    await Promise.all(polls);
  } finally {
    await locker.query("rollback");
    await Promise.all([locker.end(), watcher.end()]);
  }
});
