import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type SqliteDatabase, sqliteStorage } from "vitrine/sqlite";
import { createKey } from "../../src/steps/record-steps.ts";
import { createStore } from "../../src/steps/store-steps.ts";
import { forkable } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { createShop } from "../support/shop.ts";

const handles: SqliteDatabase[] = [];
afterEach(() => {
  for (const handle of handles.splice(0)) handle.close();
});

/** A second handle of the file, as another process has one. */
function otherHandle(file: string): SqliteDatabase {
  const handle = openSqlite(file);
  handles.push(handle);
  return handle;
}

const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function openShop() {
  const file = join(freshFolder(), "shop.sqlite");
  const storage = sqliteStorage(file);
  await storage.migrate();
  const shop = await createShop(storage, { accessCacheMs: 60_000, limits: { checkout: null } });
  return { file, storage, shop };
}

test("while another process holds the write lock, SQLite never sleeps: reads are answered, and the write waits", async () => {
  const { file, storage, shop } = await openShop();
  const other = otherHandle(file);
  other.exec("begin immediate");
  let isWritten = false;
  const session = shop.session().finally(() => {
    isWritten = true;
  });
  for (let read = 0; read < 30; read += 1) {
    expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(200);
    await new Promise(setImmediate);
  }
  expect(isWritten).toBe(false);
  other.exec("rollback");

  expect((await session).status).toBe(201);
  await storage.close();
});

test("a write that finds the lock held for five seconds is 503, and a later one succeeds", async () => {
  const { file, storage, shop } = await openShop();
  const other = otherHandle(file);
  other.exec("begin immediate");
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  const refused = await shop.session();
  clearInterval(timer);
  other.exec("rollback");

  // The driver's own wait of five seconds would leave one turn to the event loop.
  expect(turns).toBeGreaterThan(50);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  expect((await shop.session()).status).toBe(201);
  await storage.close();
});

test("a file that another process locks for a moment is opened once the lock is gone", async () => {
  const file = join(freshFolder(), "shop.sqlite");
  const start = await forkable("test/sqlite/lock-worker.ts");
  const child = start([file, "500"]);
  const ended = once(child, "exit");
  await once(child, "message"); // the file is locked

  const storage = sqliteStorage(file);
  await storage.migrate();
  await storage.close();
  expect(await ended).toEqual([0, null]);
});

test("a read waits for a process that holds the whole file for a moment", async () => {
  const { file, storage } = await openShop();
  await storage.close();
  const other = otherHandle(file);
  const own = otherHandle(file);
  own.pragma("busy_timeout = 0");
  const reader = sqliteStorage(own);

  // Outside WAL mode an exclusive transaction locks readers out, as the recovery of a log does.
  other.pragma("journal_mode = delete");
  other.exec("begin exclusive");
  const read = reader.access.findStore("str_none");
  await later(300);
  other.exec("commit");
  expect(await read).toBeNull();
});

test("a failing write among others is rolled back alone, also when the lock is lost in between", async () => {
  const { file, storage, shop } = await openShop();
  const first = await storage.access.findStore(shop.a.id);
  if (!first) throw new Error("no store");
  const other = otherHandle(file);
  other.pragma("busy_timeout = 0");

  for (let round = 0; round < 5; round += 1) {
    const make = (id: string) =>
      createStore(storage.records, { ...first, id, slug: id.replace("_", "-") });
    const names = [`str_a${round}`, `str_b${round}`];
    const writes = Promise.allSettled([
      make(names[0] ?? ""),
      createKey(storage.records, { store_id: shop.a.id } as never), // its columns must not be null
      make(names[1] ?? ""),
    ]);
    const contender = setInterval(() => {
      try {
        other.exec("begin immediate; rollback");
      } catch {
        // The storage holds the lock at the moment.
      }
    });
    const settled = await writes;
    clearInterval(contender);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  }
  await storage.close();
});

test.each([
  [0, []],
  [100, []],
  [101, ["VITRINE_SQLITE_BUSY_TIMEOUT"]],
  [5_000, ["VITRINE_SQLITE_BUSY_TIMEOUT"]],
])("a host's handle with a busy_timeout of %i ms is warned about: %j", async (ms, expected) => {
  const codes: unknown[] = [];
  const listener = (warning: Error & { readonly code?: string }): void => {
    if (warning.code?.startsWith("VITRINE_")) codes.push(warning.code);
  };
  process.on("warning", listener);
  try {
    const handle = otherHandle(":memory:");
    handle.pragma(`busy_timeout = ${ms}`);
    sqliteStorage(handle);
    await later(10);
  } finally {
    process.removeListener("warning", listener);
  }
  expect(codes).toEqual(expected);
});
