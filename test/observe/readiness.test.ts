import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createStorefront, memoryStorage, type Storage, type Storefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { patience } from "../support/patience.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop } from "../support/shop.ts";
import { openPostgresOn, storages } from "../support/storages.ts";

/** Opens a storefront that has made no store: its storage may be one that cannot write. */
const storefrontOn = (storage: Storage): Storefront =>
  createStorefront({
    storage,
    publicUrl: "https://shop.example.com",
    sealKey: new Uint8Array(32).fill(3),
    readyz: true,
    healthz: true,
    onError: () => {},
  });

async function sqliteShop() {
  const database = openSqlite(":memory:");
  const storage = sqliteStorage(database);
  await storage.migrate();
  return { database, storefront: storefrontOn(storage) };
}

interface Asked {
  readonly storefront: Pick<Storefront, "serve">;
}

async function ask({ storefront }: Asked, method = "GET", path = "readyz") {
  const reply = await storefront.serve({
    method,
    target: `/v1/${path}`,
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
    const readiness = async () => ({ schema: { found, known }, clock: null, write_refusal: null });
    Object.assign(shop.storage.gauges, { readiness });
    const reply = await ask(shop);
    expect(reply).toMatchObject({ status, json: { schema: { found, known } } });
    expect(reply.json.reasons).toEqual(status === 503 ? ["migration_pending"] : undefined);
  });

  test("a database without tables has a migration pending", async () => {
    const storefront = storefrontOn(sqliteStorage(openSqlite(":memory:")));
    expect(await ask({ storefront })).toMatchObject({
      status: 503,
      json: { reasons: ["migration_pending"], storage: "ok", schema: { found: 0, ok: false } },
    });
  });

  test("a full disk of SQLite cannot write, and stays alive; with room it is ready again", async () => {
    const { database, storefront } = await sqliteShop();
    const shop = { storefront };
    database.pragma(`max_page_count = ${database.pragma("page_count", { simple: true })}`);

    expect(await ask(shop)).toMatchObject({
      status: 503,
      json: { reasons: ["cannot_write"], storage: "ok", writes: { refusal: "disk_full" } },
    });
    expect(await ask(shop, "GET", "healthz")).toMatchObject({ status: 200 });

    database.pragma("max_page_count = 1073741823");
    await vi.waitFor(async () => expect(await ask(shop)).toMatchObject({ status: 200 }), patience);
  });

  test("a probe leaves no row behind", async () => {
    const { database, storefront } = await sqliteShop();
    const shop = { storefront };
    expect((await ask(shop)).status).toBe(200);
    expect(database.prepare("select count(*) from rate_buckets").pluck().get()).toBe(0);
  });

  test("a PostgreSQL that only reads cannot write", async () => {
    const { pool, schema } = await openPostgresOn({ max: 2 });
    const options = "-c default_transaction_read_only=on";
    const reader = new pg.Pool({ ...pool.options, options });
    onTestFinished(() => reader.end());

    const shop = { storefront: storefrontOn(postgresStorage(reader, { schema })) };
    expect(await ask(shop)).toMatchObject({
      status: 503,
      json: { reasons: ["cannot_write"], writes: { ok: false, refusal: "read_only" } },
    });
    expect(await ask(shop, "GET", "healthz")).toMatchObject({ status: 200 });
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
        body: '{"status":"unready","reasons":["storage_unavailable"],"storage":"unavailable"}',
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
