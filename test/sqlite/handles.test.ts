import { createRequire } from "node:module";
import { describe, expect, onTestFinished, test } from "vitest";
import { type NodeSqliteDatabase, type SqliteDatabase, sqliteStorage } from "vitrine/sqlite";
import { judgeDriver } from "../../adapters/storage/sqlite-driver.ts";
import { createShop, thrownBy } from "../support/shop.ts";

type Handle = SqliteDatabase | NodeSqliteDatabase;

interface Driver {
  readonly name: string;
  open(busyTimeoutMs: number): Handle;
}

/** Gives undefined where better-sqlite3 is not installed or does not fit this Node. */
function loadBetterSqlite() {
  const require = createRequire(import.meta.url);
  try {
    const { version } = require("better-sqlite3/package.json");
    if (judgeDriver(version, process.versions) !== null) return undefined;

    const driver = require("better-sqlite3");
    new driver(":memory:").close();
    return driver;
  } catch {
    return undefined;
  }
}

const Database = loadBetterSqlite();
const nodeSqlite = process.getBuiltinModule("node:sqlite" as string) as
  | { DatabaseSync: new (path: string, options: { timeout: number }) => NodeSqliteDatabase }
  | undefined;

const drivers: Driver[] = [];
if (Database)
  drivers.push({
    name: "better-sqlite3",
    open: (timeout) => new Database(":memory:", { timeout }),
  });
if (nodeSqlite)
  drivers.push({
    name: "node:sqlite",
    open: (timeout) => new nodeSqlite.DatabaseSync(":memory:", { timeout }),
  });

test("this machine has a driver to test", () => expect(drivers).not.toEqual([]));

describe.each(drivers)("a handle of $name that is the host's", ({ open }) => {
  test("sells, delivers, and stays open when the storage closes", async () => {
    const handle = open(100);
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
    await shop.storefront.close();
    expect(handle.prepare("select 1 as one").get()).toEqual({ one: 1 });
  });

  test("gives 503 once it is closed, as a pool does that has ended", async () => {
    const handle = open(100);
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

  test("gives a warning when its wait for a lock would stop the event loop", async () => {
    const codes: unknown[] = [];
    const listener = (warning: Error & { readonly code?: string }) => codes.push(warning.code);
    process.on("warning", listener);
    onTestFinished(() => void process.removeListener("warning", listener));

    sqliteStorage(open(5_000));
    await new Promise((resolve) => setTimeout(resolve, 10)); // Node emits warnings a turn later
    expect(codes).toContain("VITRINE_SQLITE_BUSY_TIMEOUT");
  });

  test("is in a transaction of the host's: the library waits, and never joins it", async () => {
    const handle = open(100);
    const storage = sqliteStorage(handle);
    await storage.migrate();

    handle.exec("begin");
    const hit = storage.limits.hit({ bucket: "a", limit: 1, window_ms: 1_000 }, 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    handle.exec("rollback");
    expect(await hit).toMatchObject({ allowed: true });
  });
});

test.runIf(Database)("a handle that gives BigInts works, and keeps that setting", async () => {
  const handle = new Database(":memory:", { timeout: 100 });
  handle.defaultSafeIntegers(true);
  const storage = sqliteStorage(handle);
  await storage.migrate();
  const shop = await createShop(storage);

  expect(await shop.buy()).toMatchObject({ status: "paid", amount_total: 1000 });
  expect(handle.prepare("select 1 as one").get()).toEqual({ one: 1n });
});
