import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { createKey } from "../../src/steps/record-steps.ts";
import { createStore } from "../../src/steps/store-steps.ts";
import { createShop } from "../support/shop.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-writes-"));
const file = join(folder, "shop.sqlite");
const storage = sqliteStorage(file);
beforeAll(() => storage.migrate());
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

test("a failing write among writes that are committed together is rolled back alone", async () => {
  const shop = await createShop(storage);
  const first = await storage.access.findStore(shop.a.id);
  if (!first) throw new Error("no store");
  const make = (id: string) =>
    createStore(storage.records, { ...first, id, slug: id.replace("_", "-") });
  // Fails: its columns must not be null.
  const broken = createKey(storage.records, { store_id: shop.a.id } as never);
  const settled = await Promise.allSettled([
    make("str_x"),
    broken,
    make("str_y"),
    broken,
    make("str_z"),
  ]);
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  for (const id of ["str_x", "str_y", "str_z"])
    expect(await storage.access.findStore(id)).toMatchObject({ id });
});

test("rate limit hits between session writes are counted, seen by another process, and lose no session", async () => {
  const shop = await createShop(storage, {
    limits: { checkout: { limit: 1_000, window_ms: 60_000 } },
  });
  const made = await Promise.all(Array.from({ length: 100 }, () => shop.session()));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  const other = sqliteStorage(file);
  for (const { body } of made)
    expect(
      await other.checkout.findSession({ store_id: shop.a.id, livemode: false }, body.data.id),
    ).not.toBeNull();
  await other.close();
  expect(
    made
      .map(({ headers }) => Number(/r=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]))
      .sort((a, b) => a - b),
  ).toEqual(Array.from({ length: 100 }, (_, index) => 900 + index));
});
